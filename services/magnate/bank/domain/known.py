"""The transfers that a ledger knows by their own ids, for its whole life: none acts twice."""

from typing import Final

from magnate.bank.domain.instructions import CaptureHold, PlaceHold, Reverse, Transfer
from magnate.bank.domain.limits import TRANSFER_ID_LENGTH_MAX, TRANSFERS_MAX
from magnate.bank.domain.rejections import Rejection
from magnate.rules import rejections as names

# The numbers are stored in snapshots and sent (TransferKind in ledger.proto): add, never renumber.
TRANSFER: Final = 1
CAPTURE: Final = 2
REVERSAL: Final = 3
HOLD: Final = 4

LAYER_RATIO: Final = 8
"""How many times larger a layer is than the next one: fewer layers to look through, more to merge."""


class Known:
    """What became of a transfer with an id. Read only, so that copies of a state may share it.

    `debit` and `credit` are places of accounts, the same one twice for a hold. `bound` is what was asked for
    with "up to", of a hold when it lapses. `reference` is the hold of a capture, the transfer that a reversal
    takes back. `reason` of a reversal is its note.
    """

    __slots__ = (
        "amount", "bound", "credit", "debit", "index", "kind", "reason", "reference", "reversed_by",
        "version",
    )  # fmt: skip

    def __init__(
        self,
        kind: int,
        version: int,
        index: int,
        debit: int,
        credit: int,
        amount: int,
        bound: int,
        reason: str,
        reference: str,
        reversed_by: str = "",
    ) -> None:
        self.kind = kind
        self.version = version
        self.index = index
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.bound = bound
        self.reason = reason
        self.reference = reference
        self.reversed_by = reversed_by

    def taken_back(self, by: str) -> "Known":
        """Return this transfer as one that another has taken back."""
        return Known(
            self.kind,
            self.version,
            self.index,
            self.debit,
            self.credit,
            self.amount,
            self.bound,
            self.reason,
            self.reference,
            by,
        )


class Layer:
    """Some of the transfers by their ids; never changed. `encoded` is what a snapshot has made of it."""

    __slots__ = ("encoded", "entries")

    def __init__(self, entries: dict[str, Known], encoded: bytes = b"") -> None:
        self.entries = entries
        self.encoded = encoded


class KnownTransfers:
    """A map that only grows and is copied in no time, whatever its size.

    It consists of layers, each larger than the ones after it together; what a draft adds lies in a layer of
    its own, which is merged with those of its size once it is shared. So adding costs a few moves an id,
    looking up a few probes, and a copy shares all layers.
    """

    __slots__ = ("fresh", "layers", "size")

    def __init__(self) -> None:
        self.size: int = 0
        self.layers: list[Layer] = []
        self.fresh: dict[str, Known] = {}

    def __len__(self) -> int:
        return self.size

    def get(self, transfer_id: str) -> Known | None:
        """Return the transfer of this id, None if there is none."""
        found = self.fresh.get(transfer_id)
        if found is not None:
            return found
        for layer in reversed(self.layers):
            found = layer.entries.get(transfer_id)
            if found is not None:
                return found
        return None

    def add(self, transfer_id: str, known: Known) -> None:
        """Remember a transfer that is not there yet."""
        self.fresh[transfer_id] = known
        self.size += 1

    def replace(self, transfer_id: str, known: Known) -> None:
        """Say something else of a transfer that is there."""
        self.fresh[transfer_id] = known

    def copy(self) -> "KnownTransfers":
        """Return a map that can be changed without changing this one."""
        self.settle()
        other = KnownTransfers()
        other.size = self.size
        other.layers = self.layers
        return other

    def settle(self) -> None:
        """Make layers of what was added, without changing what this map says."""
        if not self.fresh:
            return
        layers = self.layers.copy()
        top = self.fresh
        while layers and len(layers[-1].entries) <= LAYER_RATIO * len(top):
            below = layers.pop()
            top = {**below.entries, **top}
        layers.append(Layer(top))
        self.layers = layers
        self.fresh = {}

    def items(self) -> list[tuple[str, Known]]:
        """Return all transfers by their ids, the ones added first in front."""
        merged: dict[str, Known] = {}
        for layer in self.layers:
            merged.update(layer.entries)
        merged.update(self.fresh)
        return list(merged.items())


class Replay:
    """An instruction was carried out before under the same id: what that did."""

    __slots__ = ("known",)

    def __init__(self, known: Known) -> None:
        self.known = known


def bad_transfer_id(transfer_id: str) -> Rejection | None:
    """Refuse an id that no transfer can have."""
    if (
        0 < len(transfer_id) <= TRANSFER_ID_LENGTH_MAX
        and transfer_id.isascii()
        and transfer_id.isprintable()
        and " " not in transfer_id
    ):
        return None
    return Rejection(
        names.INVALID_TRANSFER_ID,
        f"a transfer's id has 1 to {TRANSFER_ID_LENGTH_MAX} plain characters without blanks: {transfer_id!r}",
    )


def reused(transfer_id: str, known: Known) -> Rejection:
    """Say that the id stands for something else."""
    detail = f"{transfer_id!r} is another transfer's id, see entry {known.version}.{known.index}"
    return Rejection(names.TRANSFER_ID_REUSED, detail)


def again(known: Known, ask: Transfer, debit: int, credit: int) -> Replay | Rejection:
    """Answer a transfer whose id is known; `debit` and `credit` are -1 for accounts that are not there."""
    same_sum = known.bound == ask.amount if ask.up_to else known.bound == 0 and known.amount == ask.amount
    if (
        same_sum
        and known.kind == TRANSFER
        and known.debit == debit
        and known.credit == credit
        and known.reason == ask.reason
    ):
        return Replay(known)
    return reused(ask.transfer_id, known)


def again_captured(known: Known, ask: CaptureHold, to: int) -> Replay | Rejection:
    """Answer a capture whose id is known."""
    if (
        known.kind == CAPTURE
        and known.reference == ask.hold_id
        and known.credit == to
        and known.amount == ask.amount
        and known.reason == ask.reason
    ):
        return Replay(known)
    return reused(ask.transfer_id, known)


def again_held(known: Known, ask: PlaceHold, account: int) -> Replay | Rejection:
    """Answer a hold whose id is known."""
    if (
        known.kind == HOLD
        and known.debit == account
        and known.amount == ask.amount
        and known.bound == ask.expires_at_ms
    ):
        return Replay(known)
    return reused(ask.hold_id, known)


def again_reversed(known: Known, ask: Reverse) -> Replay | Rejection:
    """Answer a reversal whose id is known."""
    if known.kind == REVERSAL and known.reference == ask.reverses and known.reason == ask.note:
        return Replay(known)
    return reused(ask.transfer_id, known)


def too_many(known: KnownTransfers) -> Rejection | None:
    """Refuse one more id than a ledger remembers."""
    if known.size < TRANSFERS_MAX:
        return None
    return Rejection(names.TOO_MANY_TRANSFERS, f"the ledger remembers {TRANSFERS_MAX} transfers, and no more")
