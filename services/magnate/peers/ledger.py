"""The ledger records of a commit as messages, for services that fold them without the bank's own state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.v1 import bank_pb2
from magnate.kit.log.commit import LEDGER, require_version

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit, Section


def ledger_records(commit: ParsedCommit, section: Section) -> list[bank_pb2.Record]:
    """Return the records of a commit's ledger section, those of concealed holds in their places.

    Those are in the secret part, which only our services have: everybody else gets the public ones.

    Raises:
        DecodeError, ValueError: no section. LogNewerError: a later build wrote it.
    """
    records = list(bank_pb2.LedgerSection.FromString(section.body).records)
    if not commit.secret:
        return records
    for secret in commit.secret_sections():
        if secret.kind == LEDGER:
            require_version(commit, secret, 1)
            hidden = bank_pb2.LedgerSection.FromString(secret.body)
            pairs = zip(hidden.places, hidden.records, strict=True)
            for before, (place, record) in enumerate(pairs):
                records.insert(before + place, record)
    return records
