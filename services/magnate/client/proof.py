"""Verifies that an entry is in a ledger's log. Pure: bytes in, verdict out; the server is not believed.

    proof = await session.proof(ledger_id, entry_id)
    entry = verify(proof, head_hash)       # the hash of proof.head_version, known from elsewhere

What a proof proves: the entry is in the log whose commit of that version has that hash. So the hash must come
from elsewhere than the proof: a watch stream, an export, another player, an earlier answer.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from magnate.bank.v1 import bank_pb2
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from magnate.bank.v1 import ledger_pb2

DIGEST_BYTES = 32


class ProofError(Exception):
    """The proof does not prove the entry; says where it breaks."""


class ProvenEntry:
    """An entry as the log has it."""

    __slots__ = ("amount", "credit", "debit", "entry_id", "ledger_id", "reason", "time_ms", "transfer_id")

    def __init__(self, entry_id: str, commit: log_pb2.PublicPart, record: bank_pb2.Record) -> None:
        self.entry_id = entry_id
        self.ledger_id = commit.game_id
        self.time_ms = commit.time_ms
        if record.HasField("entry_posted"):
            entry = record.entry_posted
            self.debit, self.credit, self.amount = entry.debit, entry.credit, entry.amount
            self.reason, self.transfer_id = entry.reason, entry.transfer_id
        else:
            captured = record.hold_captured
            self.debit, self.credit, self.amount = captured.account, captured.to, captured.captured
            self.reason, self.transfer_id = captured.reason, captured.transfer_id


def verify(proof: ledger_pb2.GetEntryProofResponse, head_hash: bytes) -> ProvenEntry:
    """Return the entry that a proof proves to be in the log with this hash at `proof.head_version`.

    Raises:
        ProofError: it does not.
    """
    digests = [proof.secret_digest, proof.previous_hash, head_hash]
    digests += [digest for link in proof.links for digest in (link.public_digest, link.secret_digest)]
    if any(len(digest) != DIGEST_BYTES for digest in digests):
        raise ProofError("a digest does not have 32 bytes")
    arrived = link_hash(proof.previous_hash, sha256(proof.public).digest(), proof.secret_digest)
    for link in proof.links:
        arrived = link_hash(arrived, link.public_digest, link.secret_digest)
    if arrived != head_hash:
        raise ProofError("the chain does not arrive at the known hash")
    return _entry(proof)


def link_hash(previous: bytes, public_digest: bytes, secret_digest: bytes) -> bytes:
    """Return the hash of a commit, from the hash before it and the digests of its two parts."""
    return sha256(previous + public_digest + secret_digest).digest()


def _entry(proof: ledger_pb2.GetEntryProofResponse) -> ProvenEntry:
    try:
        commit = log_pb2.PublicPart.FromString(proof.public)
        bodies = [one.body for one in commit.sections if one.kind == log_pb2.SECTION_KIND_LEDGER]
        records = [one for body in bodies for one in bank_pb2.LedgerSection.FromString(body).records]
    except DecodeError:
        raise ProofError("the commit cannot be read") from None
    version, _, index = proof.entry_id.partition(".")
    if commit.game_id != proof.ledger_id:
        raise ProofError("the commit is of another log")
    if version != str(commit.version) or proof.head_version != commit.version + len(proof.links):
        raise ProofError("the commit is of another version")
    if not index.isdecimal() or int(index) >= len(records):
        raise ProofError("the commit has no such record")
    record = records[int(index)]
    if record.WhichOneof("record") not in ("entry_posted", "hold_captured"):
        raise ProofError("the record is no entry")
    return ProvenEntry(proof.entry_id, commit, record)
