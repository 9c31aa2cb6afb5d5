"""Units with card slots in a running game: which keys pay what is owed, and that no other key pays."""

from __future__ import annotations

import pytest

from magnate.bank.terminal.edition import EDITIONS, ONE_SLOT, TWO_SLOT
from magnate.bank.terminal.machine import frame, new_unit, operate, refused
from magnate.bank.terminal.step import (
    ACTIVE,
    LOCKED,
    RETIRED,
    Action,
    GameView,
    Hold,
    Insert,
    Press,
    Remove,
    Step,
    Table,
)
from magnate.bank.terminal.unit import Unit

LEFT, RIGHT = 0, 1
PAYING = [(TWO_SLOT, RIGHT, "M"), (TWO_SLOT, RIGHT, "K"), (ONE_SLOT, LEFT, "MINUS")]
"""Model, slot of the payer, key."""


class Desk:
    """A unit in a game in which seats owe what they owe."""

    def __init__(self, model: str, *owes: int) -> None:
        self.game = GameView(len(owes))
        self.game.owes = list(owes)
        self.table = Table(EDITIONS["classic"], [1_500] * len(owes), [ACTIVE] * len(owes), game=self.game)
        self.unit = new_unit(model)
        self.do(Press("C"))

    def do(self, action: Action) -> Step:
        """Do something to the unit, as if whatever it proposes were accepted."""
        step = operate(self.unit, action, self.table, 0)
        self.unit = step.unit
        return step

    def shown(self) -> tuple[str, str, str, int, str]:
        """Return word, sign, text, seat and refusal of the display."""
        one = frame(self.unit, self.table, 0)
        return (one.word, one.sign, one.text, one.seat, one.refusal)


@pytest.mark.parametrize(("model", "slot", "key"), PAYING)
def test_the_payers_card_shows_its_debt_and_a_key_pays_it(model: str, slot: int, key: str) -> None:
    """The step asks the game for it, and moves nothing itself; a key that bounces is told so."""
    desk = Desk(model, 0, 70)
    desk.do(Insert(slot, 1))
    assert desk.shown() == ("owes", "-", "70", 1, "")
    step = desk.do(Press(key))
    assert step.move is not None
    assert (step.move.seat, step.move.kind, step.move.numbers) == (1, "pay_debt", {"by_card": 1})
    assert (step.payments, step.sounds) == ([], ["booked"])
    desk.game.owes[1], desk.table.balances[1] = 0, 1_430
    assert desk.shown() == ("booked", "", "1430", 1, "")
    desk.game.owes[1] = 30
    again = desk.do(Press(key))
    assert (again.refusal, again.move) == ("ALREADY_BOOKED", None)
    desk.do(Press("C"))
    assert desk.shown() == ("owes", "-", "30", 1, "")
    assert desk.do(Hold(key)).move is not None


@pytest.mark.parametrize(("model", "slot", "key"), PAYING)
def test_what_the_rules_refuse_shows_and_leaves_the_debt(model: str, slot: int, key: str) -> None:
    """The operation has ended as refused; another try is another operation."""
    desk = Desk(model, 0, 70)
    desk.do(Insert(slot, 1))
    step = desk.do(Press(key))
    told = refused(step.unit, "INSUFFICIENT_FUNDS", 0)
    desk.unit = told.unit
    assert (told.sounds, told.unit.outcome, told.move) == (["error"], "refused", None)
    assert desk.shown() == ("error", "-", "70", 1, "INSUFFICIENT_FUNDS")
    assert desk.do(Press(key)).move is not None


@pytest.mark.parametrize(("model", "slot", "key"), PAYING)
def test_who_owes_nothing_sees_the_balance(model: str, slot: int, key: str) -> None:
    """And the key says why it does nothing."""
    desk = Desk(model, 0, 70)
    desk.do(Insert(slot, 0))
    assert desk.shown() == ("balance", "", "1500", 0, "")
    assert desk.do(Press(key)).refusal == "NOT_IN_DEBT"
    desk.do(Remove(slot))
    assert desk.do(Press(key)).refusal == "NO_CARD"
    for standing, name in ((LOCKED, "CARD_LOCKED"), (RETIRED, "CARD_RETIRED")):
        desk = Desk(model, 0, 70)
        desk.do(Insert(slot, 1))
        desk.table.cards[1] = standing
        assert desk.do(Press(key)).refusal == name


@pytest.mark.parametrize("model", [TWO_SLOT, ONE_SLOT])
def test_no_other_key_moves_money(model: str) -> None:
    """Amounts, GO, transfers and a new game are refused by name, whatever cards are in; C and volume work."""
    desk = Desk(model, 0, 70)
    for slot in range(len(desk.unit.slots)):
        desk.do(Insert(slot, slot))
    keys = [*"0123456789", "ARROW"] + (["PLUS", "THREE", "M", "K"] if model == ONE_SLOT else [])
    for key in keys:
        step = desk.do(Press(key))
        assert (step.refusal, step.payments, step.move) == ("GAME_MOVES_MONEY", [], None), key
    assert desk.do(Hold("C")).refusal == "GAME_MOVES_MONEY"
    assert desk.do(Press("X")).refusal == "UNKNOWN_KEY"
    assert (desk.do(Press(".")).sounds, desk.shown()[0]) == (["volume"], "volume")
    assert desk.do(Press("C")).sounds == ["key"]
    desk.table.paused = True
    assert desk.do(Press("5")).refusal == "TABLE_PAUSED"
    assert desk.do(Press("C")).refusal == ""


def test_the_receivers_slot_pays_nothing() -> None:
    """A card on the left of the two-slot unit shows its balance, also if it owes."""
    desk = Desk(TWO_SLOT, 0, 70)
    desk.do(Insert(LEFT, 1))
    assert desk.shown() == ("balance", "", "1500", 1, "")
    assert desk.do(Press("M")).refusal == "NO_CARD"
    desk.do(Insert(RIGHT, 0))
    assert desk.do(Press("M")).refusal == "NOT_IN_DEBT"


def test_a_unit_in_a_game_is_stored_whole() -> None:
    """It goes on from what is stored, also between the payment and the next key."""
    desk = Desk(ONE_SLOT, 0, 70)
    for action in (Insert(LEFT, 1), Press("MINUS"), Press("C"), Press("MINUS")):
        desk.unit = Unit.of(desk.unit.plain())
        desk.do(action)
    assert (desk.unit.operation, desk.unit.outcome) == (2, "booked")
