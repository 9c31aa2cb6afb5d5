"""The report of an audit: it names what is broken, is signed, and is made in parts of bounded size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from magnate.cli.audit import report
from magnate.cli.audit.reading import BATCH_COMMITS_MAX, BATCH_TABLES_MAX, Contents, batches
from magnate.cli.audit.table import (
    LEDGER_KIND,
    Finding,
)
from tests.support.banking import KEYS, new_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.kit.keys import KeyRing


def findings() -> list[Finding]:
    """Return two findings, one of a broken table."""
    sound, broken = (
        Finding(new_game("a"), version=10, entries=4),
        Finding(new_game("b"), version=3, entries=1),
    )
    broken.add(3, LEDGER_KIND, "an entry of 5 overdraws seat-1")
    return [sound, broken]


def signed_report(keys: KeyRing = KEYS, contents: Contents | None = None) -> dict[str, Any]:
    """Return a signed report of them."""
    whole = report.report_of(
        findings(),
        contents or Contents(streams={"LOG_1_0": 13}),
        software="1.0",
        tenant="main",
        time="2026-11-30T00:00:00Z",
        whole=True,
    )
    return report.signed(keys, whole)


def test_a_report_names_what_is_broken_and_is_signed() -> None:
    """Text and JSON say the same; the signature holds with the same key, whatever the layout of the file."""
    document = signed_report()
    assert document["report"]["ok"] is False
    assert document["report"]["totals"] == {"tables": 2, "broken": 1, "commits": 13, "entries": 5, "draws": 0}
    page = report.page(document)
    assert "version 3, ledger: an entry of 5 overdraws seat-1" in page
    assert page.count("BROKEN") == 1
    assert document["signature"] in page
    for text in (json.dumps(document), json.dumps(document, indent=4, sort_keys=True)):
        assert report.verified(KEYS, text) == document["report"]


def test_a_stream_that_lacks_messages_is_in_the_report() -> None:
    """Even if every table is sound by itself."""
    contents = Contents(streams={"LOG_1_0": 13}, faults=[("LOG_1_0", "1 of 13 messages are missing")])
    document = signed_report(contents=contents)
    assert document["report"]["streams"][0]["faults"] == ["1 of 13 messages are missing"]
    assert "1 of 13 messages are missing" in report.page(document)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda one: one["report"]["tables"][1].update(ok=True), "not as it was signed"),
        (lambda one: one["report"].update(ok=True), "not as it was signed"),
        (lambda one: one.update(signature="00" * 32), "not as it was signed"),
        (lambda one: one.update(key_id="k9"), "not in the key ring"),
        (lambda one: one["report"].update(format="else/1"), "is of format"),
        (lambda one: one.pop("signature"), "no audit report"),
        (lambda one: one.update(signature="zz"), "no audit report"),
        (lambda one: one.update(report=[]), "no audit report"),
    ],
)
def test_a_report_that_was_changed_does_not_verify(
    change: Callable[[dict[str, Any]], object], what: str
) -> None:
    """Any change is noticed, and it is said what is wrong."""
    document = signed_report()
    change(document)
    with pytest.raises(report.NotAReportError, match=what):
        report.verified(KEYS, json.dumps(document))


@pytest.mark.parametrize(
    "text", ["", "root:x:0:0", "[]", "7", "[" * 100_000, '{"report":1,"key_id":[],"signature":5}']
)
def test_a_file_that_is_no_report(text: str) -> None:
    """Whatever is in it, it is said in a sentence."""
    with pytest.raises(report.NotAReportError, match="no audit report"):
        report.verified(KEYS, text)


def test_a_commits_mac_is_no_signature_of_a_report() -> None:
    """What signs a report signs nothing else, and the other way round."""
    document = signed_report()
    document["signature"] = KEYS.sign(report.canonical(document["report"])).hex()
    with pytest.raises(report.NotAReportError):
        report.verified(KEYS, json.dumps(document))


def test_the_work_is_cut_into_parts_of_one_stream_and_bounded_size() -> None:
    """Every table once; a part has few tables or few commits."""
    tables = {new_game(f"t{number}"): (number % 5) * 700 for number in range(500)}
    parts = batches(tables)
    assert sorted(table for part in parts for table in part) == sorted(tables)
    for part in parts:
        assert len({table.split("-")[1] for table in part}) == 1
        assert len(part) <= BATCH_TABLES_MAX
        assert sum(tables[table] for table in part[:-1]) < BATCH_COMMITS_MAX
