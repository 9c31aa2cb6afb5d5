"""The rule sets of the package against the table of defaults: one line an option, one column a rule set."""

from __future__ import annotations

import pytest

from magnate.rules.loader import load_ruleset, ruleset_ids
from magnate.rules.options import of_text

SETS = [
    "classic", "computer", "e-banking", "short", "timed", "ultimate-banking", "online", "millionaire",
]  # fmt: skip

# "-" where the option does not matter in a rule set.
TABLE = """
start.order                        two_dice seat two_dice two_dice two_dice youngest random random
start.order_by_lot                 false false false false false false false true
deal_deeds                         0 0 0 2 2 0 0 0
auction.enabled                    true true true true true true true true
auction.decliner_may_bid           true false true true true true false true
auction.opening                    any any any any any zero_step list_price any
auction.mode                       open open open open open open open open
auction.close_seconds              10 10 10 10 10 10 30 10
auction.rollback_seconds           10 10 10 10 10 - 10 10
rent.utility_roll                  arrival new arrival arrival arrival - arrival -
rent.claim                         automatic automatic automatic automatic automatic automatic automatic automatic
rent.double_needs_unbuilt_group    false true false false false - true false
rent.owner_in_jail                 true true true true true false true true
rent.level_rises_paid              false false false false false true false false
rent.level_rises_own               false false false false false true false false
rent.level_rises_set               false false false false false true false false
debt.payment                       automatic automatic automatic automatic automatic automatic asked automatic
debt.pay_in_kind                   true false true true true false false true
debt.return_lots                   false false false false false true false false
go.landing_pays                    true true true true true true true true
go.backward_pays                   false false false false false false false false
jail.attempts                      per_turn per_turn same_turn per_turn per_turn same_turn per_turn per_turn
jail.attempts_max                  3 3 3 3 3 3 3 3
jail.landing_detains               false false false false false false false true
build.when                         any_time own_turn_before_roll own_turn_or_between_turns any_time any_time at_purchase own_turn own_turn_before_roll
build.per_turn                     unlimited one_per_group unlimited unlimited unlimited - one_per_group unlimited
build.even                         true false true true true - true true
build.houses_before_hotel          4 4 4 3 4 - 4 3
build.hotel_needs                  group lot group group group - group group
build.sell_percent                 50 100 50 50 50 - 100 50
build.hotel_sale                   full_stack full_stack full_stack full_stack full_stack - - full_stack
build.hotels_sold_together         false false false false false - - false
mortgage.when                      any_time own_turn_or_in_debt any_time any_time any_time never own_turn any_time
mortgage.redeem_when               any_time own_turn_before_roll any_time any_time any_time - own_turn own_turn_before_roll
mortgage.clear                     group group group group group - group lot
mortgage.redeem                    mortgage_plus_10 price_plus_10 mortgage_plus_10 mortgage_plus_10 mortgage_plus_10 - factor half_plus_10_of_price
mortgage.transfer                  ten_now_ten_later forbidden taken_over ten_now_ten_later ten_now_ten_later - taken_over forbidden
mortgage.rounds_max                0 0 0 0 0 - 15 0
trade.when                         any_time own_turn_before_roll any_time any_time any_time never own_turn any_time
trade.mortgaged_allowed            true false true true true - true false
trade.clear                        group group group group group - group lot
trade.max_imbalance_percent        0 0 0 0 0 - 50 0
trade.loans                        false false false false false false false true
loan.enabled                       false false false false false false true false
time_rules.enabled                 false false false false false false true false
time_rules.minute_base             - - - - - - ordinal -
bankrupt.to_player                 estate_to_creditor bank_pays_creditor estate_to_creditor estate_to_creditor estate_to_creditor free free bank_pays_creditor
bankrupt.creditor_paid             - in_full - - - - - what_is_missing
bankrupt.buildings                 sold_half to_bank sold_half sold_half sold_half reset to_bank to_bank
bankrupt.buildings_final           same same same transferred same same same same
bankrupt.to_bank                   auction free auction auction auction free free free
build.shortage                     auction first_come auction auction auction first_come first_come auction
end                                last_player last_player last_player second_bankruptcy agreed_time first_bankruptcy last_player last_player_or_time
score.method                       - - - full_count full_count money_and_property - purchase_prices
timers.roll_seconds                0 90 0 0 0 0 90 0
timers.pay_seconds                 0 90 0 0 0 0 90 0
timers.deal_seconds                0 30 0 0 0 0 30 0
timers.expiry                      - bankrupt - - - - bankrupt -
table.balances_public              false true true false false true true false
table.tokens                       by_engine by_engine by_engine by_engine by_engine by_engine by_engine by_engine
players.max                        8 8 6 8 8 4 5 6
"""  # noqa: E501 - a line an option

# A game carries its rule set, so one may change; but never by accident, and its version is raised then.
HASHES = {
    "classic": "4ef3e6df51596180e10d15076b50ce83b7b106f68aa243b97d622120b4c3437b",
    "computer": "a7b0a2727757b016e2745921996ebba39bda73e3b69ad3f348f8fe857d5b6707",
    "e-banking": "7ee8cf40b14add6392d48d88cb3fcd3098dc347544e32ae8ac021b384cb1e4c5",
    "millionaire": "8727f24317e3d6d86fcf2796d874bba11267a5e4d6af65127bad79643e0b6012",
    "online": "0ffeb7c08f29e7fa98a6add6cd7eb7a401ffd294f1859d91b56dc98e95ea6589",
    "short": "694ba800241b9ae4cfa5da8ed1c4e196af2a933069402089dfda84de4bdb8c74",
    "timed": "5366b6d32330c86229e3fe058c8fb02241a03e29a4d67de90e2ebae5dca7d83b",
    "ultimate-banking": "448ff2038bbf2c8f391c4f2a1213de598daadcf83e3bf1b8a375adf4c35b6be0",
}

ROWS = [line.split() for line in TABLE.strip().splitlines()]


def test_the_rule_sets_of_the_package_are_listed() -> None:
    """Eight of them."""
    assert ruleset_ids() == sorted(SETS)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_every_rule_set_has_its_value(row: list[str]) -> None:
    """What the table of defaults says, for all eight."""
    option, values = row[0], row[1:]
    assert len(values) == len(SETS)
    for ruleset, value in zip(SETS, values, strict=True):
        if value != "-":
            assert load_ruleset(ruleset).written()[option] == of_text(value), ruleset


@pytest.mark.parametrize("ruleset", SETS)
def test_a_rule_set_changes_only_on_purpose(ruleset: str) -> None:
    """The hash is known; whoever changes the file raises its version and changes the list above."""
    assert load_ruleset(ruleset).content_hash == HASHES[ruleset]


def test_where_the_defaults_of_the_short_game_come_from() -> None:
    """The first bankrupt's buildings are sold as in the boxed rules; the last one's pass on (row 81, C46)."""
    short, classic = load_ruleset("short"), load_ruleset("classic")
    assert short.bankrupt_buildings == classic.bankrupt_buildings
    assert short.bankrupt_buildings_final != classic.bankrupt_buildings_final
