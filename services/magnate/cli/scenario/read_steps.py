"""Reads `do`: the steps and what must come of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.model import (
    Answer,
    Bid,
    Choose,
    Deal,
    Decline,
    Do,
    Lend,
    Lots,
    Plain,
    Play,
    Proxy,
    Sell,
    Square,
    StakeOn,
    Step,
    Wait,
    Want,
)
from magnate.cli.scenario.names import (
    BARE,
    BUILDINGS,
    DO,
    DO_BY,
    EVENTS,
    REJECTIONS,
    STEPS,
    UNPLAYED_STEPS,
    VALUED,
)
from magnate.cli.scenario.node import listed
from magnate.cli.scenario.read_parts import (
    MONEY_MAX,
    read_amount,
    read_card,
    read_party,
    read_pay,
    read_terms,
)
from magnate.rules.files.effect_file import OPTION_WORDS
from magnate.rules.vocabulary import Terms

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Action, Table
    from magnate.cli.scenario.node import Node

CHECKS: Final = ("rejected", "events", "pays")
CHOICE_WORDS: Final = (*OPTION_WORDS, "sum", "percent")
"""What the options of a card or a tax square that asks are called."""
IN_KIND: Final = "in_kind"
"""The id of an offer to pay in kind that has no other."""
OPTION_MAX: Final = 1000


def read_steps(node: Node, table: Table, steps_max: int) -> list[Step]:
    """Return the steps."""
    items = node.items()
    if len(items) > steps_max:
        raise node.error(f"has {len(items)} steps, {steps_max} are allowed")
    return [_read_step(number, one, table) for number, one in enumerate(items, start=1)]


def _read_step(number: int, node: Node, table: Table) -> Step:
    fields = node.entries()
    subjects = [name for name in fields if name not in CHECKS]
    seat = -1
    if len(subjects) != 1:
        raise node.error(f"must name one seat, `do` or `wait`, not {len(subjects)} of them")
    subject = subjects[0]
    value = fields[subject]
    action: Action
    if subject == "do":
        action = _read_do(value, table)
    elif subject == "wait":
        action = Wait(None) if value.found() == "'deadline'" else Wait(value.duration_ms())
    elif subject in table.players:
        seat = table.players.index(subject)
        action = _read_action(value, table)
    else:
        raise value.error(f"is neither a seat nor `do` or `wait`; seats: {', '.join(table.players)}")
    rejected = fields["rejected"].one_of(REJECTIONS) if "rejected" in fields else None
    if rejected is not None and ("events" in fields or "pays" in fields):
        raise fields["rejected"].error("what is refused has neither events nor transfers")
    if rejected is not None and isinstance(action, Wait):
        raise fields["rejected"].error("time cannot be refused")
    events = [one.one_of(EVENTS) for one in fields["events"].items()] if "events" in fields else None
    pays = [read_pay(one, table) for one in fields["pays"].items()] if "pays" in fields else None
    return Step(number, f"step {number} ({subject}: {_word_of(value)})", seat, action, rejected, events, pays)


def _word_of(value: Node) -> str:
    if value.is_mapping:
        return next(iter(value.entries()), "")
    return value.found().strip("'")


def _read_do(node: Node, table: Table) -> Do:
    if not node.is_mapping:
        word = node.one_of((*DO, *DO_BY))
        if word not in DO:
            raise node.error(f"must name a seat: {{{word}: {table.players[0]}}}")
        return Do(word)
    fields = node.fields((), DO_BY)
    if len(fields) != 1:
        raise node.error(f"must name one thing, not {', '.join(fields) or 'nothing'}")
    word, value = next(iter(fields.items()))
    if word != "extra_time":
        return Do(word, table.seat(value))
    grant = value.fields(("from", "to", "time"))
    return Do(word, table.seat(grant["from"]), table.seat(grant["to"]), grant["time"].duration_ms())


def _read_action(node: Node, table: Table) -> Action:
    if not node.is_mapping:
        word = node.one_of(STEPS)
        if word in VALUED:
            raise node.error(f"{word!r} needs a value")
        if word in UNPLAYED_STEPS:
            raise node.unplayed(UNPLAYED_STEPS[word])
        return Lend(word) if word == "repay" else Plain(word)
    fields = node.entries()
    # `{accept: t1, redeem: [37]}` is one step although `redeem` is a step of its own elsewhere.
    words = ["accept"] if "accept" in fields else list(fields)
    if len(words) != 1:
        raise node.error(f"must name one step, not {', '.join(fields) or 'nothing'}")
    word = words[0]
    if word not in STEPS:
        raise fields[word].error(f"is no step; known: {listed(STEPS)}")
    if word in BARE:
        raise fields[word].error("takes no value")
    node.fields((word,), ("redeem",) if word == "accept" else ())
    if word in UNPLAYED_STEPS:
        raise fields[word].unplayed(UNPLAYED_STEPS[word])
    return _read_valued(word, fields[word], fields, table)


def _read_valued(word: str, value: Node, fields: dict[str, Node], table: Table) -> Action:
    if word in {"build", "mortgage", "redeem", "return"}:
        return Lots(word, table.squares(value))
    if word == "sell":
        levels = {}
        for name, level in value.entries().items():
            if not name.isdecimal() or int(name) >= table.board.size:
                raise level.error("is no square of this board")
            levels[int(name)] = level.whole(-1, 10)
        return Sell(levels)
    if word in {"bid", "proxy"}:
        lot, amount = -1, value
        if value.is_mapping:
            named = value.fields(("lot", "amount"))
            lot, amount = table.square(named["lot"]), named["amount"]
        kind = Bid if word == "bid" else Proxy
        return kind(lot, read_amount(amount, -MONEY_MAX))
    if word == "offer":
        deal = value.fields(("id", "to"), ("give", "take"))
        return Deal(word, deal["id"].word(), table.seat(deal["to"]), read_terms(value, table, deal))
    if word == "counter":
        deal = value.fields(("id",), ("to", "give", "take"))
        to = table.seat(deal["to"]) if "to" in deal else -1
        return Deal(word, deal["id"].word(), to, read_terms(value, table, deal))
    if word == "pay_in_kind":
        return _read_in_kind(value, table)
    if word == "choose":
        return _read_choice(value, table)
    if word in {"accept", "reject", "withdraw"}:
        redeem = table.squares(fields["redeem"]) if "redeem" in fields else []
        return Answer(word, value.word(), redeem)
    return _read_special(word, value, table)


def _read_special(word: str, value: Node, table: Table) -> Action:
    """Steps that only some rule sets have."""
    if word in {"claim_rent", "pass", "place", "place_token"}:
        return Square(word, table.square(value))
    if word == "stake":
        if not value.is_mapping:
            return StakeOn(read_amount(value, -MONEY_MAX), [])
        stake = value.fields(("amount",), ("faces",))
        faces = [face.whole(-1, 100) for face in stake["faces"].items()] if "faces" in stake else []
        return StakeOn(read_amount(stake["amount"], -MONEY_MAX), faces)
    if word in {"play", "drawn_card"}:
        card = read_card(value, table)
        return Play(card.deck, card.card, by_hand=word == "drawn_card")
    if word == "pay":
        value.one_of(("card",))
        return Plain("pay_by_card")
    if word == "decline":
        return Decline(read_amount(value, -MONEY_MAX))
    if word == "loan":
        return Lend(word, read_amount(value, -MONEY_MAX))
    if word == "repay":
        return Lend(word, 0, read_party(value, table))
    assert word == "want"
    return Want(BUILDINGS[value.one_of(BUILDINGS)])


def _read_in_kind(node: Node, table: Table) -> Deal:
    fields = node.fields(("to",), ("lots", "cash", "id", "settles"))
    lots = table.squares(fields["lots"]) if "lots" in fields else []
    cash = read_amount(fields["cash"]) if "cash" in fields else 0
    settles = read_amount(fields["settles"], 1) if "settles" in fields else -1
    offer_id = fields["id"].word() if "id" in fields else IN_KIND
    return Deal(
        "pay_in_kind", offer_id, table.seat(fields["to"]), Terms(cash, lots, [], 0, [], [], 0), settles
    )


def _read_choice(node: Node, table: Table) -> Choose:
    """An answer: the number of an option, a square, a seat, or the word of what an option does."""
    value = node.scalar()
    if isinstance(value, int) and not isinstance(value, bool):
        return Choose(node.whole(0, OPTION_MAX))
    if node.word() in table.players:
        return Choose(table.seat(node))
    return Choose(-1, node.one_of(CHOICE_WORDS))
