"""The report: what was found, as JSON that is signed and as a page for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from magnate.kit.log.keys import seal, unseal
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.cli.audit.reading import Contents
    from magnate.cli.audit.table import Finding
    from magnate.kit.keys import KeyRing

FORMAT: Final = "magnate.audit/1"
PURPOSE: Final = "audit-report"


class NotAReportError(ValueError):
    """A file is no audit report, or not as it was signed."""


def report_of(
    findings: Sequence[Finding], contents: Contents, *, software: str, tenant: str, time: str, whole: bool
) -> dict[str, Any]:
    """Return the report as plain values."""
    broken = sum(not finding.ok for finding in findings)
    return {
        "format": FORMAT,
        "software": software,
        "time": time,
        "tenant": tenant,
        "whole_log": whole,
        "ok": not broken and not contents.faults,
        "totals": {
            "tables": len(findings),
            "broken": broken,
            "commits": sum(finding.version for finding in findings),
            "entries": sum(finding.entries for finding in findings),
            "draws": sum(finding.draws for finding in findings),
        },
        "streams": [
            {
                "stream": name,
                "last_sequence": sequence,
                "faults": [what for stream, what in contents.faults if stream == name],
            }
            for name, sequence in sorted(
                ({name: 0 for name, _ in contents.faults} | contents.streams).items()
            )
        ],
        "tables": [
            {
                "table_id": finding.table_id,
                "kind": finding.kind,
                "status": finding.status,
                "version": finding.version,
                "entries": finding.entries,
                "draws": finding.draws,
                "ok": finding.ok,
                "faults": [fault._asdict() for fault in finding.faults],
            }
            for finding in findings
        ],
    }


def signed(keys: KeyRing, report: dict[str, Any]) -> dict[str, Any]:
    """Return the report with the id of the key and the signature over its canonical JSON."""
    sealed = log_pb2.Sealed.FromString(seal(keys, PURPOSE, canonical(report)))
    return {"report": report, "key_id": sealed.key_id, "signature": sealed.mac.hex()}


def verified(keys: KeyRing, text: str) -> dict[str, Any]:
    """Return the report in a signed document.

    Raises:
        NotAReportError: it is none, its key is not in the ring, or it is not what was signed.
    """
    try:
        document = json.loads(text)
        report, key_id, mac = document["report"], document["key_id"], bytes.fromhex(document["signature"])
        known = report["format"] == FORMAT
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotAReportError("is no audit report") from error
    if not known:
        raise NotAReportError(f"is of format {report['format']!r}; known: {FORMAT}")
    if not isinstance(key_id, str) or not keys.knows(key_id):
        raise NotAReportError(f"is signed with key {key_id!r}, which is not in the key ring")
    sealed = log_pb2.Sealed(body=canonical(report), key_id=key_id, mac=mac)
    if unseal(keys, PURPOSE, sealed.SerializeToString()) is None:
        raise NotAReportError("is not as it was signed")
    found: dict[str, Any] = report
    return found


def canonical(report: dict[str, Any]) -> bytes:
    """Return the bytes that are signed: keys sorted, no spaces."""
    return json.dumps(report, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def page(document: dict[str, Any]) -> str:
    """Return a signed report as a page of text."""
    report, totals = document["report"], document["report"]["totals"]
    lines = [f"Magnate audit, {report['time']}, software {report['software']}, tenant {report['tenant']}", ""]
    for table in report["tables"]:
        what = f"{table['kind']} {table['status']}".strip()
        verdict = "OK" if table["ok"] else "BROKEN"
        counts = f"version {table['version']:>6}  {table['entries']:>6} entries"
        lines.append(f"  {table['table_id']}  {what:<13} {counts}  {verdict}")
        lines += [f"      {_fault(fault)}" for fault in table["faults"]]
    for stream in report["streams"]:
        verdict = "BROKEN" if stream["faults"] else "OK"
        lines.append(f"  stream {stream['stream']}  ends at {stream['last_sequence']:>6}  {verdict}")
        lines += [f"      {fault}" for fault in stream["faults"]]
    found = f"{totals['commits']} commits, {totals['entries']} entries, {totals['draws']} draws of chance"
    lines += [
        "",
        f"{totals['tables']} audited, {totals['broken']} of them broken; {found}",
        "all is well" if report["ok"] else "NOT all is well",
        f"signed with key {document['key_id']}: {document['signature']}",
    ]
    return "\n".join(lines) + "\n"


def _fault(fault: dict[str, Any]) -> str:
    where = f"version {fault['version']}, " if fault["version"] else ""
    return f"{where}{fault['kind']}: {fault['what']}"
