"""Options, how they are combined, and what is refused."""

from __future__ import annotations

import ast

import pytest

from magnate.rules import choices
from magnate.rules.conflicts import BOUNDS, CONFLICTS, Bound
from magnate.rules.options import BOOL, ENUM, INT, Option, Written, of_text, parse
from magnate.rules.options_table import BY_NAME, OPTIONS
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import Layer, RuleSet, build_ruleset, with_house_rules
from tests.support.sources import SERVICES

# The words that the constants of `choices` stand for, by the start of their names.
CHOICES = {
    "start.order": "START_",
    "auction.mode": "AUCTION_",
    "auction.opening": "OPENING_",
    "rent.utility_roll": "UTILITY_ROLL_",
    "rent.claim": "CLAIM_",
    "debt.payment": "PAYMENT_",
    "jail.attempts": "ATTEMPTS_",
    "build.per_turn": "PER_TURN_",
    "build.hotel_needs": "SCOPE_",
    "mortgage.clear": "SCOPE_",
    "trade.clear": "SCOPE_",
    "build.hotel_sale": "HOTEL_SALE_",
    "build.shortage": "SHORTAGE_",
    "mortgage.redeem": "REDEEM_",
    "mortgage.transfer": "TRANSFER_",
    "bankrupt.to_player": "ESTATE_",
    "bankrupt.buildings": "BUILDINGS_",
    "bankrupt.to_bank": "TO_BANK_",
    "end": "END_",
    "score.method": "SCORE_",
    "build.when": "WHEN_",
    "mortgage.when": "WHEN_",
    "mortgage.redeem_when": "WHEN_",
    "trade.when": "WHEN_",
    "timers.expiry": "EXPIRY_",
    "timers.misses_lead_to": "MISSES_",
    "table.pause": "PAUSE_",
    "table.tokens": "TOKENS_",
    "auction.style": "STYLE_",
    "auction.bid_limit": "BID_LIMIT_",
    "auction.unsold": "UNSOLD_",
    "auction.leaver": "LEAVES_",
    "auction.estate": "LOTS_",
    "auction.penny_refund": "PENNY_REFUND_",
    "auction.ties": "TIES_",
    "time_rules.minute_base": "MINUTE_",
    "time_rules.rounding": "UNTAXED_",
    "build.shortage_start": "FIRST_BID_",
    "mortgage.rounding": "ROUNDING_",
    "bankrupt.buildings_final": "FINAL_",
    "bankrupt.creditor_paid": "PAID_",
    "resign.estate": "RESIGN_",
    "end.time_finish": "FINISH_",
}
SHORTER_NAMES = {
    "CLAIM_BEFORE_NEXT_ROLL": "owner_before_next_player_rolls",
    "ESTATE_TO_CREDITOR": "estate_to_creditor",
}


def build(**layers: dict[str, Written]) -> RuleSet | Rejection:
    """A rule set of layers named by keyword, over the defaults."""
    parts = [Layer(origin, values) for origin, values in layers.items()]
    return build_ruleset("tested", 1, "Tested", "classic-us", parts)


def built(**layers: dict[str, Written]) -> RuleSet:
    """The same, where it must come about."""
    rules = build(**layers)
    assert isinstance(rules, RuleSet), rules
    return rules


def refused(**layers: dict[str, Written]) -> Rejection:
    """The same, where it must be refused."""
    rejection = build(**layers)
    assert isinstance(rejection, Rejection)
    return rejection


def declared_attributes() -> dict[str, str]:
    """The attributes the source declares, in its order; a compiled class no longer has its annotations."""
    tree = ast.parse((SERVICES / "magnate/rules/ruleset.py").read_text(encoding="utf-8"))
    (declaration,) = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "RuleSet"]
    return {
        ast.unparse(node.target): ast.unparse(node.annotation)
        for node in declaration.body
        if isinstance(node, ast.AnnAssign)
    }


def test_options_and_attributes_agree() -> None:
    """Each option is one typed attribute of a rule set, and nothing else is."""
    expected = {option.attribute: "bool" if option.kind == BOOL else "int" for option in OPTIONS}
    assert declared_attributes() == expected
    rules = built()
    for option, value in zip(OPTIONS, rules.values, strict=True):
        assert getattr(rules, option.attribute) == value
        assert type(getattr(rules, option.attribute)).__name__ == expected[option.attribute]


def test_option_names_are_unique() -> None:
    """So are the attributes that they become."""
    assert len(BY_NAME) == len(OPTIONS)
    assert len({option.attribute for option in OPTIONS}) == len(OPTIONS)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: str(option.name))
def test_an_option_is_complete(option: Option) -> None:
    """It says what it is for and where it comes from, and its default is a value that this build plays."""
    assert option.help.endswith(".")
    assert option.rows
    assert option.minimum <= option.default <= option.maximum
    assert option.supports(option.default)
    assert all(option.minimum <= value <= option.maximum for value in option.supported)


@pytest.mark.parametrize("name", sorted(CHOICES))
def test_constants_are_the_places_of_their_words(name: str) -> None:
    """`choices.START_SEAT` is where start.order has the word seat."""
    prefix = CHOICES[name]
    constants = {key: value for key, value in vars(choices).items() if key.startswith(prefix)}
    for index, word in enumerate(BY_NAME[name].values):
        if not word:
            continue
        (constant,) = [key for key, value in constants.items() if value == index]
        expected = SHORTER_NAMES.get(constant, constant.removeprefix(prefix).lower())
        assert word == expected


def test_every_choice_has_constants() -> None:
    """No option with words is left out of the test above."""
    assert set(CHOICES) == {option.name for option in OPTIONS if option.kind == ENUM}


def test_later_layers_win() -> None:
    """A difference overrides its base and leaves the rest alone."""
    rules = built(base={"build.even": False, "auction.close_seconds": 20}, more={"auction.close_seconds": 30})
    assert not rules.build_even
    assert rules.auction_close_seconds == 30
    assert rules.jail_attempts_max == 3


def test_house_rules_are_named() -> None:
    """A table's own changes are listed, those that change nothing are not, and the hash tells them apart."""
    base = built()
    house = with_house_rules(base, {"jail.landing_detains": True, "build.even": True})
    assert isinstance(house, RuleSet)
    assert house.jail_landing_detains
    assert house.house_rules == ["jail.landing_detains"]
    assert house.id == base.id
    assert house.content_hash != base.content_hash


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("build.even", 1),
        ("build.even", "true"),
        ("auction.close_seconds", True),
        ("auction.close_seconds", 0),
        ("auction.close_seconds", 601),
        ("auction.close_seconds", "10"),
        ("jail.attempts", "sometimes"),
        ("jail.attempts", 0),
        ("jail.attempts", True),
        ("build.when", ""),
        ("build.when", "never"),
        ("build.sell_percent", 101),
    ],
)
def test_a_value_outside_the_range_is_invalid(name: str, value: Written) -> None:
    """The refusal names the option, what was written, and what may be."""
    rejection = refused(house={name: value})
    assert rejection.name == "OPTION_INVALID"
    assert name in rejection.detail
    assert repr(value) in rejection.detail
    assert BY_NAME[name].range_text() in rejection.detail


def test_a_long_value_is_not_repeated_whole() -> None:
    """A refusal stays short whatever was sent."""
    assert len(refused(house={"jail.attempts": "x" * 10_000}).detail) < 250


def test_an_unknown_option_is_named() -> None:
    """Nothing is skipped in silence."""
    rejection = refused(house={"build.evn": True})
    assert rejection.name == "OPTION_UNKNOWN"
    assert "build.evn" in rejection.detail


def unsupported() -> list[tuple[str, Written]]:
    """Every value of every choice that this build does not play, and a number outside the played ones."""
    found: list[tuple[str, Written]] = []
    for option in OPTIONS:
        if option.kind == INT:
            candidates = [option.minimum, option.maximum]
        else:
            candidates = [
                value for value in range(option.maximum + 1) if option.kind == BOOL or option.values[value]
            ]
        found += [(option.name, option.written(value)) for value in candidates if not option.supports(value)]
    return found


@pytest.mark.parametrize(("name", "value"), unsupported())
def test_what_is_not_played_yet_is_refused(name: str, value: Written) -> None:
    """A rule that is written but not played would be a silent lie, so it is refused with its name."""
    rejection = refused(house={name: value})
    assert rejection.name in {"OPTION_NOT_SUPPORTED", "OPTION_CONFLICT"}
    assert name in rejection.detail


def conflicting() -> list[tuple[str, Written, str, Written]]:
    """One pair of values for each conflict."""
    return [
        (
            conflict.first,
            BY_NAME[conflict.first].written(first),
            conflict.second,
            BY_NAME[conflict.second].written(second),
        )
        for conflict in CONFLICTS
        for first in conflict.first_values or [BY_NAME[conflict.first].maximum]
        for second in conflict.second_values or [BY_NAME[conflict.second].maximum]
    ]


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: f"{bound.small} in {bound.large}")
def test_what_does_not_fit_names_both_options(bound: Bound) -> None:
    """A time that another one has no room for would never be seen; as long as there is just room, it is."""
    least = bound.least(4)
    house: dict[str, Written] = {"auction.close_seconds": 60, bound.small: 4, bound.large: least - 1}
    rejection = refused(house=house)
    assert rejection.name == "OPTION_CONFLICT"
    assert f"{bound.small}: 4" in rejection.detail
    assert f"{bound.large}: {least - 1}" in rejection.detail
    assert built(house={**house, bound.large: least}).house_rules == []


@pytest.mark.parametrize(("first", "one", "second", "two"), conflicting())
def test_a_contradiction_names_both_options(first: str, one: Written, second: str, two: Written) -> None:
    """Wherever its halves come from, a contradiction is refused before anything is played."""
    rejection = refused(base={first: one}, house={second: two})
    assert rejection.name == "OPTION_CONFLICT"
    assert first in rejection.detail
    assert second in rejection.detail
    assert "(base)" in rejection.detail
    assert "(house)" in rejection.detail


def test_equal_rules_have_equal_hashes() -> None:
    """However they were written: naming a default changes nothing."""
    assert built(a={"build.even": True}).content_hash == built().content_hash
    assert built(a={"build.sell_percent": 40}).content_hash != built().content_hash


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("false", False), ("10", 10), ("-3", -3), ("seat", "seat"), ("1.5", "1.5"), ("", "")],
)
def test_a_text_is_read_like_a_file(text: str, value: Written) -> None:
    """The command line and the API give texts."""
    assert of_text(text) == value
    assert type(of_text(text)) is type(value)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: str(option.name))
def test_a_written_value_is_read_back(option: Option) -> None:
    """`written` and `parse` are each other's opposite."""
    for value in {option.minimum, option.default, option.maximum}:
        if option.kind != ENUM or option.values[value]:
            assert parse(option, option.written(value)) == value
            assert parse(option, of_text(option.text(value))) == value
