"""Who may do what at a table: the banker everything, a card what concerns it, and who may press the keys.

The table of all calls and roles is in docs/terminal.md and in the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from magnate.kit.errors import RefusedError, UnauthenticatedError
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from magnate.bank.tables.state import Card, Table
    from magnate.kit.rpc.call import Principal

BANKER: Final = "banker"
CARD: Final = "card"
GUEST: Final = "guest"
NOBODY: Final = ""


@final
class Caller:
    """Somebody at a table; `seat` is that of a card, else -1."""

    __slots__ = ("role", "seat")

    def __init__(self, role: str, seat: int = -1) -> None:
        self.role = role
        self.seat = seat

    def actor(self, table: Table) -> str:
        """Return who did it, as the log keeps it."""
        if self.role == CARD and self.seat < len(table.cards):
            return f"card:{table.cards[self.seat].card_id}"
        return self.role

    def owns(self, card: Card) -> bool:
        """Say whether the card is this caller's."""
        return self.role == CARD and self.seat == card.seat


def caller_at(principal: Principal, table_id: str) -> Caller:
    """Return who asks; raises as `Principal.role_at` does."""
    return Caller(principal.role_at(table_id), principal.seat)


def caller_or_nobody(principal: Principal, table_id: str) -> Caller:
    """Return who asks, where a secret may be shown instead of a token."""
    return caller_at(principal, table_id) if principal.kind == "table" else Caller(NOBODY)


def caller_in_game(principal: Principal, table_id: str, table: Table) -> Caller | None:
    """Return who asks by the token of a seat of the game that the unit is in: it is as good as its card's."""
    if table.in_game and principal.kind == "seat" and principal.game_id == table_id:
        return Caller(CARD, principal.seat)
    return None


def require_banker(caller: Caller) -> None:
    """Refuse everybody but the banker."""
    if caller.role != BANKER:
        raise refused(names.NOT_THE_BANKER, f"only the banker may do this, not a {caller.role}")


def require_keys(caller: Caller, table: Table) -> None:
    """Refuse who may not press the unit's keys: without a shared unit, all but the banker.

    The unit of a game has no banker; there, everybody who has a card may.
    """
    if table.attached and caller.role == CARD:
        return
    if caller.role != BANKER and not table.shared_unit:
        raise refused(names.NOT_THE_BANKER, "only the banker works the unit of this table")


def require_owner(caller: Caller, card: Card | None) -> None:
    """Refuse whoever does not hold the card."""
    if card is None or not caller.owns(card):
        raise refused(names.NOT_YOUR_CARD, "only the card's own token may do this")


def require_proof(caller: Caller, table: Table, card: Card, *, shown: bool) -> None:
    """Refuse to put a card in for somebody who neither holds it nor is the banker nor shows its secret.

    The secret helps only who may press keys; that it is right is looked at after this.
    """
    if caller.role == BANKER or caller.owns(card):
        return
    if not table.shared_unit:
        raise refused(names.NOT_YOUR_CARD, "at this table a card is put in by its holder or the banker")
    if not shown:
        raise refused(names.NOT_YOUR_CARD, "to put in somebody else's card, show its secret")


def require_claim(caller: Caller, table: Table, card: Card, *, shown: bool, may_repeat: bool) -> None:
    """Refuse to give a card to somebody who shows nothing for it; one that nobody has a guest may take.

    With `may_repeat` he may be the one who has it, and was not told so: then his command is in the log. In a
    game whose seats have tokens of their own a card is its seat's from the beginning.
    """
    if shown or caller.role == BANKER or caller.owns(card):
        return
    if caller.role == NOBODY:
        raise UnauthenticatedError("this call needs the card's secret or a token of the table")
    if table.attached or (card.claimed and not may_repeat):
        raise refused(names.NOT_YOUR_CARD, f"somebody has the card of {card.name}; show its secret")


def refused(name: str, detail: str) -> RefusedError:
    """Return the error that carries a refusal of a table."""
    return RefusedError(Rejection(name, detail))
