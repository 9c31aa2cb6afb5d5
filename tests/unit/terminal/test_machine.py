"""The door to the units: plain state, operations by number, what the ledger refuses, bad editions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from loadtests import fuzz_terminal
from loadtests.fuzz_terminal import Desk, fuzz, main
from loadtests.promises import BrokenPromiseError
from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.edition import EDITIONS, ONE_SLOT, TOUCH, TWO_SLOT, own_edition
from magnate.bank.terminal.entry import amount_of, typed
from magnate.bank.terminal.machine import MACHINES, frame, new_unit, operate, refused, settle
from magnate.bank.terminal.step import ACTIVE, Action, Hold, Insert, Press, Remove, Step, Table
from magnate.bank.terminal.unit import Unit

if TYPE_CHECKING:
    from magnate.rules.rejections import Rejection

MODELS = [TWO_SLOT, ONE_SLOT]
EBANKING = EDITIONS["e-banking"]


def table_of(*balances: int) -> Table:
    """Return an e-banking table whose seats have these balances."""
    return Table(EBANKING, list(balances), [ACTIVE] * len(balances))


def press(desk: Desk, keys: str) -> Step:
    """Press keys one after the other; return the last step."""
    return [desk.do(Press(key)) for key in keys.split()][-1]


@pytest.mark.parametrize("model", MODELS)
def test_a_unit_survives_in_the_middle_of_an_amount(model: str) -> None:
    """What is stored after each press is the whole unit: it goes on from there as if nothing had been."""
    desk = Desk(model, EBANKING, 2)
    for action in (Press("C"), Insert(0, 1), Press("2"), Press("."), Press("5"), Press("M")):
        desk.do(action)
        plain = desk.unit.plain()
        assert all(isinstance(value, int | str | list) for value in plain.values())
        again = Unit.of(plain)
        assert again.plain() == plain
        desk.unit = again
    step = press(desk, "M" if model == TWO_SLOT else "PLUS")
    assert [(one.debit, one.credit, one.amount) for one in step.payments] == [("bank", "seat-1", 2500)]


@pytest.mark.parametrize("field", sorted(Unit(TWO_SLOT, 2).plain()))
@pytest.mark.parametrize("value", [None, 1.5, ["x"]])
def test_a_damaged_unit_is_named(field: str, value: object) -> None:
    """A stored unit with a field missing or of another kind is refused with the field's name."""
    plain = new_unit(TWO_SLOT).plain()
    if value is None:
        del plain[field]
    else:
        plain[field] = value
    with pytest.raises(ValueError, match=rf"a stored unit has .*{field}"):
        Unit.of(plain)


def test_a_copy_has_every_field_and_shares_none() -> None:
    """Whatever a unit remembers its copy remembers too, and changing one leaves the other."""
    plain: dict[str, object] = {
        name: [number] if isinstance(value, list) else str(number) if isinstance(value, str) else number
        for number, (name, value) in enumerate(new_unit(TWO_SLOT).plain().items(), start=1)
    }
    plain |= {"awake": 1, "payer_left": 1}
    unit = Unit.of(plain)
    copied = unit.copy()
    assert copied.plain() == unit.plain() == plain
    copied.slots[0] = copied.memory[0] = 99
    assert unit.plain() == plain


@pytest.mark.parametrize("model", MODELS)
def test_what_has_ended_leaves_nothing_behind(model: str) -> None:
    """After C a unit is as it was when it was started, but for the count of operations."""
    desk = Desk(model, EBANKING, 2)
    desk.do(Press("C"))
    fresh = desk.unit.plain()
    desk.do(Insert(0, 1))
    press(desk, "5 M M" if model == TWO_SLOT else "5 M PLUS")
    assert desk.unit.shown == 1
    press(desk, "5")
    assert (desk.unit.shown, desk.unit.booked_by) == (-1, "")
    press(desk, "M M" if model == TWO_SLOT else "M THREE")
    desk.do(Remove(0))
    press(desk, "C")
    assert desk.unit.plain() == {**fresh, "operation": 2, "outcome": desk.unit.outcome}


def test_a_payment_that_a_balance_has_no_room_for_is_not_even_proposed() -> None:
    """The unit looks at the payee as the ledger does, at every seat."""
    table = table_of(2**63 - 1, 2**63 - 2)
    for seat, keys in ((0, ["1", "K", "K"]), (1, ["2", "K", "K"])):
        unit = new_unit(TWO_SLOT)
        for action in (Insert(0, seat), *(Press(key) for key in keys)):
            step = operate(unit, action, table, 0)
            unit = step.unit
        assert (step.refusal, step.payments) == ("AMOUNT_OVERFLOW", [])
        assert step.detail == f"the balance of seat {seat} would exceed {2**63 - 1}"


@pytest.mark.parametrize("model", MODELS)
def test_an_action_changes_no_unit_but_makes_a_new_one(model: str) -> None:
    """Who holds the unit of before still has it: an append that fails is no press."""
    desk = Desk(model, EBANKING, 2)
    desk.do(Press("C"))
    for action in (Insert(0, 0), Press("5"), Press("M"), Hold("C"), Press("."), Remove(0), Press("X")):
        before, plain = desk.unit, desk.unit.plain()
        desk.do(action)
        assert before.plain() == plain
        assert desk.unit is not before


def test_one_operation_has_one_number() -> None:
    """Case C049: one number from the first card or key to the booking; a second key cannot use it."""
    desk = Desk(TWO_SLOT, EBANKING, 2)
    desk.do(Press("C"))
    numbers = []
    for action in (Insert(1, 0), Insert(0, 1), Press("2"), Press("M"), Press("M"), Press("M")):
        desk.do(action)
        shown = desk.frame()
        numbers.append((shown.operation, shown.outcome))
    assert numbers == [(1, "open")] * 4 + [(1, "booked")] * 2
    press(desk, "3")
    assert (desk.unit.operation, desk.unit.outcome) == (2, "open")


@pytest.mark.parametrize("model", MODELS)
def test_an_operation_ends_in_a_definite_way(model: str) -> None:
    """Case C049: booked, cancelled by C or by a card that is pulled, refused; anybody can ask which."""
    desk = Desk(model, EBANKING, 2)
    book = "M M" if model == TWO_SLOT else "M PLUS"
    desk.do(Press("C"))
    assert (desk.unit.operation, desk.unit.outcome) == (0, "")
    press(desk, "5 C")
    assert (desk.unit.operation, desk.unit.outcome) == (1, "cancelled")
    desk.do(Insert(0, 0))
    press(desk, "5")
    assert (desk.unit.operation, desk.unit.outcome) == (2, "open")
    desk.do(Remove(0))
    assert (desk.unit.operation, desk.unit.outcome) == (2, "cancelled")
    desk.do(Insert(0, 0))
    press(desk, f"5 {book}")
    assert (desk.unit.operation, desk.unit.outcome) == (3, "booked")
    desk.cards[0] = 1
    press(desk, f"5 {book}")
    assert (desk.unit.operation, desk.unit.outcome) == (4, "refused")
    desk.do(Hold("C"))
    assert (desk.unit.operation, desk.unit.outcome) == (5, "reset")
    desk.cards[0] = ACTIVE
    press(desk, "C ARROW")
    assert (desk.unit.operation, desk.unit.outcome) == (6, "booked")
    press(desk, "5")
    desk.do(Hold("C"))
    assert (desk.unit.operation, desk.unit.outcome) == (8, "reset")


def test_what_is_remembered_is_no_entry_any_more() -> None:
    """The key with three persons moves the sum from the display into the unit's memory."""
    desk = Desk(ONE_SLOT, EBANKING, 2)
    desk.do(Insert(0, 1))
    press(desk, "5 M THREE")
    unit = desk.unit
    assert (unit.remembered, unit.payer, unit.payer_left) == (5_000, 1, False)
    assert (unit.entry, unit.denomination) == ("", "")


@pytest.mark.parametrize("model", MODELS)
def test_the_next_press_takes_an_error_away(model: str) -> None:
    """Nothing of a refusal stays in the unit, and the display tells the volume all the time."""
    desk = Desk(model, EBANKING, 2)
    press(desk, "C . X")
    assert (desk.unit.word, desk.unit.refusal, desk.unit.until_ms) == ("error", "UNKNOWN_KEY", 3_000)
    press(desk, "5")
    assert (desk.unit.word, desk.unit.refusal, desk.unit.until_ms) == ("", "", 0)
    assert desk.frame().volume == 3


@pytest.mark.parametrize(
    ("model", "keys", "detail"),
    [
        (TWO_SLOT, "X", "this unit has no key 'X'"),
        (TWO_SLOT, "1 . .", "1. has a decimal point already"),
        (TWO_SLOT, "1 2 3 4 5 6", "12345 fills the display; 6 has no room"),
        (TWO_SLOT, "0 K", "0 is nothing"),
        (TWO_SLOT, "1 . 5 K", "1.5 times 1000 is no multiple of 1000"),
        (TWO_SLOT, "5 M 5", "5M is armed; M books it, C clears it"),
        (TWO_SLOT, "5 ARROW", "5 is entered; C clears it"),
        (TWO_SLOT, "ARROW ARROW", "GO is paid; C or pulling the card makes ready for another one"),
        (ONE_SLOT, "5 PLUS", "5 is neither thousands nor millions"),
        (ONE_SLOT, "5 M 5", "5M is complete; C clears it"),
        (ONE_SLOT, "5 M THREE PLUS", "the card of seat 0 pays; the one that is paid comes next"),
        (ONE_SLOT, "1 6 M THREE", "seat 0 has 15000, needs 16000"),
        (ONE_SLOT, "1 6 M MINUS", "seat 0 has 15000, needs 16000"),
    ],
)
def test_a_refusal_says_what_is_wrong_here(model: str, keys: str, detail: str) -> None:
    """Beside its name a refusal has a sentence about this very case."""
    desk = Desk(model, EBANKING, 2)
    desk.do(Insert(0, 0))
    assert press(desk, keys).detail == detail


@pytest.mark.parametrize("key", ["ARROW", "M"])
def test_what_the_ledger_refuses_is_no_booking(key: str) -> None:
    """The ledger has the last word: an error with its name, and nothing is left to book."""
    unit = new_unit(TWO_SLOT)
    table = table_of(15_000, 15_000)
    keys = ["2", "M", "M"] if key == "M" else ["ARROW"]
    for action in (Press("C"), Insert(0, 0), *(Press(one) for one in keys)):
        step = operate(unit, action, table, 0)
        unit = step.unit
    assert step.payments
    instead = refused(step.unit, "ACCOUNT_CLOSED", 0)
    assert (instead.refusal, instead.payments, instead.sounds) == ("ACCOUNT_CLOSED", [], ["error"])
    shown = frame(instead.unit, table, 0)
    assert (shown.word, shown.text, shown.suffix, shown.seat) == ("error", "15", "M", 0)
    assert (shown.refusal, shown.operation, shown.outcome) == ("ACCOUNT_CLOSED", 1, "refused")
    assert step.unit.outcome == "booked"


def test_time_takes_a_message_off_once() -> None:
    """`until_ms` says when the display changes by itself; a clock that goes back shows it for longer."""
    step = operate(new_unit(ONE_SLOT), Press("X"), table_of(1), 5_000)
    unit = step.unit
    assert (unit.word, unit.until_ms) == ("error", 8_000)
    assert settle(unit, 7_999) is unit
    assert settle(unit, 0) is unit
    later = settle(unit, 8_000)
    assert (later.word, later.refusal, later.until_ms) == ("", "", 0)
    assert settle(later, 9_000) is later


@pytest.mark.parametrize("model", MODELS)
def test_what_units_with_slots_cannot_do_is_refused(model: str) -> None:
    """An action of another kind of unit, such as a tap, has no effect."""
    step = operate(new_unit(model), Action(), table_of(1), 0)
    assert (step.refusal, step.detail) == ("UNKNOWN_KEY", "this unit has slots, nothing can be tapped")


def test_every_model_has_a_machine() -> None:
    """A unit comes out of its own box: asleep, without cards, at a middle volume."""
    assert set(MODELS) <= set(MACHINES)
    for model in MODELS:
        unit = new_unit(model)
        assert (unit.model, unit.awake, unit.volume) == (model, False, 2)
        assert set(unit.slots) == {-1}
        assert frame(unit, table_of(1), 0).word == "off"
    with pytest.raises(KeyError):
        new_unit("three-slot")


@pytest.mark.parametrize(
    ("name", "currency", "scale", "amounts", "model"),
    [
        ("classic", "$", 1, (1_500, 200), TWO_SLOT),
        ("e-banking", "$", 1_000, (15_000, 2_000), TWO_SLOT),
        ("roubles", "руб.", 1_000, (1_500, 200), ONE_SLOT),
        ("ultimate-banking", "M", 1, (1_500, 200), TOUCH),
    ],
)
def test_editions_have_the_money_of_their_boards(
    name: str, currency: str, scale: int, amounts: tuple[int, int], model: str
) -> None:
    """Opening and GO amounts are in ledger units."""
    edition = EDITIONS[name]
    assert (edition.edition_id, edition.currency) == (name, currency)
    assert (edition.scale, edition.model) == (scale, model)
    assert (edition.opening_amount, edition.go_amount) == amounts


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"scale": 10}, "scale: 10 is neither 1 nor 1000"),
        ({"scale": 0}, "scale: 0 is neither 1 nor 1000"),
        ({"opening_amount": -1}, "opening_amount: -1 is not from 0 to 99999000"),
        ({"opening_amount": 99_999_001}, "opening_amount: 99999001 is not from 0 to 99999000"),
        ({"go_amount": -1}, "go_amount: -1 is not from 0 to 99999000"),
    ],
)
def test_amounts_of_ones_own_have_bounds(wrong: dict[str, Any], told: str) -> None:
    """An edition that no display could show is refused with what is wrong with it."""
    right: dict[str, Any] = {"currency": "$", "scale": 1, "opening_amount": 1, "go_amount": 1}
    with pytest.raises(ValueError, match=told):
        own_edition(**{**right, **wrong}, model=TWO_SLOT)


@pytest.mark.parametrize(
    ("amount", "scale", "shown"),
    [
        (0, 1, "0"),
        (-5, 1, "0"),
        (99_999, 1, "99999"),
        (100_000, 1, "100K"),
        (123_456, 1, "123.45K>"),
        (1_000_001, 1, "1M>"),
        (0, 1000, "0K"),
        (999, 1000, "999K"),
        (1_000, 1000, "1M"),
        (1_010, 1000, "1.01M"),
        (12_345, 1000, "12.345M"),
        (999_990, 1000, "999.99M"),
        (999_999, 1000, "999.99M>"),
        (99_999_000, 1000, "99999M"),
        (99_999_001, 1000, "99999M>"),
        (100_000_000, 1000, "99999M>"),
        (2**63 - 1, 1000, "99999M>"),
    ],
)
def test_an_amount_on_five_digits(amount: int, scale: int, shown: str) -> None:
    """Below a million K, from a million on M with a point; what has no room is cut and told."""
    one = Frame("balance")
    one.show(amount, own_edition("$", scale, 0, 0, TWO_SLOT))
    assert f"{one.text}{one.suffix}{'>' if one.more else ''}" == shown


def test_typing_and_what_was_typed() -> None:
    """The text stays as it is typed; only the key behind it makes an amount of it."""
    entry: str | Rejection = ""
    for key in "00.05":
        assert isinstance(entry, str)
        entry = typed(entry, key)
    assert entry == "0.05"
    assert amount_of("0.05", 1_000_000, 1_000) == 50
    assert amount_of("12.", 1_000, 1_000) == 12
    assert amount_of("99999", 1_000_000, 1) == 99_999_000_000


@pytest.mark.parametrize("model", MODELS)
def test_random_keys_break_no_promise(model: str) -> None:
    """Twenty thousand random presses, judged by a real ledger; `make fuzz-terminal` presses a million."""
    told: list[int] = []
    counts = fuzz(model, 20_000, 7, told.append)
    assert sum(counts.values()) == 20_000
    assert told[-1] == 20_000
    assert min(counts[name] for name in ("booked", "reset", "INSUFFICIENT_FUNDS", "ALREADY_BOOKED")) > 0


def test_a_broken_promise_ends_the_fuzz(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzz can fail: a unit that does not forget the amount pays again when its key bounces."""

    def forgetful(unit: Unit, action: Action, table: Table, now_ms: int) -> Step:
        step = operate(unit, action, table, now_ms)
        if step.payments:
            step.unit.entry, step.unit.denomination = unit.entry, unit.denomination
        return step

    monkeypatch.setattr(fuzz_terminal, "operate", forgetful)
    promise = r"two-slot, seed 1, press \d+: a key that bounces pays twice"
    with pytest.raises(BrokenPromiseError, match=promise):
        fuzz(TWO_SLOT, 20_000, 1, lambda _: None)
    assert main(["--presses", "20000", "--model", TWO_SLOT]) == 1


def test_the_fuzz_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    """One line a model with what came of the presses; progress beside it."""
    assert main(["--presses", "500", "--model", "all", "--seed", "3"]) == 0
    said = capsys.readouterr()
    assert [line.split(":")[0] for line in said.out.splitlines()] == [*MODELS, TOUCH]
    assert "500 of 500 presses" in said.err


def test_no_presses_are_no_fuzz() -> None:
    """Nothing pressed proves nothing."""
    with pytest.raises(SystemExit):
        main(["--presses", "0"])
