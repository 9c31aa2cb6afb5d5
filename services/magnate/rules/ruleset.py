"""A rule set with every option resolved: one plain attribute each, so that the rules read `rules.build_even`.

A rule set is a base and differences, layer upon layer; house rules are one more layer. Whatever the layers
are, the result is checked as a whole, so contradictions are refused wherever their halves came from.
"""

from magnate.rules import rejections
from magnate.rules.choices import END_AGREED_TIME
from magnate.rules.conflicts import BOUNDS, CONFLICTS
from magnate.rules.digest import Canonical, content_hash, sparse
from magnate.rules.options import BOOL, Option, Written, parse
from magnate.rules.options_table import BY_NAME, OPTIONS
from magnate.rules.rejections import Rejection


class Layer:
    """Differences of one origin: a rule set file, or the house rules of a table."""

    __slots__ = ("origin", "values")

    def __init__(self, origin: str, values: dict[str, Written]) -> None:
        self.origin = origin
        self.values = values


class RuleSet:
    """All options of one game. Choices are ints of `choices`; yes and no are bools; read only.

    `id` and `version` say where it came from, `house_rules` which options a table changed, `content_hash`
    what it is: equal hashes mean equal rules of equal origin.
    """

    __slots__ = (
        "board", "content_hash", "house_rules", "id", "in_time", "title", "values", "version",
        *(option.attribute for option in OPTIONS),
    )  # fmt: skip

    # Setup
    players_max: int
    start_order: int
    start_first_seat: int
    start_order_by_lot: bool
    start_position_allowed: bool
    deal_deeds: int
    deal_deeds_paid: bool
    table_balances_public: bool
    table_tokens: int
    table_abandon_days: int
    timers_roll_seconds: int
    timers_pay_seconds: int
    timers_deal_seconds: int
    timers_expiry: int
    timers_reserve_seconds: int
    timers_reserve_gain_seconds: int
    timers_reserve_max_seconds: int
    timers_quick_percent: int
    timers_away_seconds: int
    timers_misses_max: int
    timers_misses_lead_to: int
    timers_stand_in_seconds: int
    timers_extra_seconds_max: int
    timers_offer_stops_clock: bool
    table_pause: int
    # Movement and jail
    go_landing_pays: bool
    go_landing_doubles: bool
    go_backward_pays: bool
    tax_percent_choice: bool
    parking_pot: bool
    parking_seed: int
    cards_reshuffled: bool
    jail_landing_detains: bool
    jail_attempts: int
    jail_attempts_max: int
    jail_double_rolls_again: bool
    jail_last_try_moves: bool
    # Auction
    auction_enabled: bool
    auction_mode: int
    auction_decliner_may_bid: bool
    auction_opening: int
    auction_close_seconds: int
    auction_rollback_seconds: int
    auction_style: int
    auction_bid_limit: int
    auction_unsold: int
    auction_extend_seconds: int
    auction_extensions_max: int
    auction_cap_seconds: int
    auction_calls_seconds: int
    auction_leaver: int
    auction_estate: int
    auction_proxy: bool
    auction_penny_fee: int
    auction_penny_refund: int
    auction_refund_on_cancel: bool
    auction_ties: int
    auction_dutch_start_percent: int
    auction_dutch_step_percent: int
    auction_dutch_tick_seconds: int
    # Rent and debt
    rent_claim: int
    rent_utility_roll: int
    rent_double_needs_unbuilt_group: bool
    rent_double_needs_unmortgaged_group: bool
    rent_owner_in_jail: bool
    rent_level_rises_paid: bool
    rent_level_rises_own: bool
    rent_level_rises_set: bool
    time_rules_enabled: bool
    time_rules_minute_base: int
    time_rules_rounding: int
    debt_payment: int
    debt_pay_in_kind: bool
    # Building
    build_when: int
    build_per_turn: int
    build_even: bool
    build_houses_before_hotel: int
    build_hotel_needs: int
    build_sell_percent: int
    build_hotel_sale: int
    build_hotels_sold_together: bool
    build_shortage: int
    build_shortage_start: int
    build_shortage_seconds: int
    build_unlimited: bool
    build_hotel_without_houses: bool
    # Mortgage
    mortgage_when: int
    mortgage_redeem_when: int
    mortgage_clear: int
    mortgage_redeem: int
    mortgage_interest_percent: int
    mortgage_transfer: int
    mortgage_rounding: int
    mortgage_rounds_max: int
    # Trade and loans
    trade_when: int
    trade_mortgaged_allowed: bool
    trade_clear: int
    trade_max_imbalance_percent: int
    trade_immunity: bool
    trade_loans: bool
    trade_loan_rounds: int
    loan_enabled: bool
    loan_rounds: int
    loan_first_round: int
    loan_pause_rounds: int
    # Bankruptcy and end
    bankrupt_to_player: int
    bankrupt_buildings: int
    bankrupt_buildings_final: int
    bankrupt_creditor_paid: int
    bankrupt_early: bool
    debt_return_lots: bool
    resign_estate: int
    bankrupt_to_bank: int
    end: int
    end_turns_max: int
    end_minutes: int
    end_time_finish: int
    end_rounds_max: int
    score_method: int

    def __init__(
        self, ruleset_id: str, version: int, title: str, board: str, house_rules: list[str], values: list[int]
    ) -> None:
        """Take resolved values in the order of OPTIONS; `build_ruleset` is how to come by them."""
        assert len(values) == len(OPTIONS)
        self.id = ruleset_id
        self.version = version
        self.title = title
        self.board = board  # the id of the board that is played when none is named
        self.house_rules = house_rules
        self.values = values
        for option, value in zip(OPTIONS, values, strict=True):
            if option.kind == BOOL:
                setattr(self, option.attribute, value == 1)
            else:
                setattr(self, option.attribute, value)
        # whether the minute of the game means anything
        self.in_time: bool = self.time_rules_enabled or self.end >= END_AGREED_TIME
        self.content_hash: str = content_hash("ruleset", self.canonical())

    def written(self) -> dict[str, Written]:
        """Every option by name, as a file would write it."""
        return {
            option.name: option.written(value) for option, value in zip(OPTIONS, self.values, strict=True)
        }

    def canonical(self) -> list[Canonical]:
        """Everything the rule set says; options by name and word, without those at their default."""
        house: list[Canonical] = sorted(self.house_rules)
        fields: list[tuple[str, Canonical, Canonical]] = [
            (option.name, option.written(value), option.written(option.default))
            for option, value in zip(OPTIONS, self.values, strict=True)
        ]
        return [self.id, self.version, self.title, self.board, house, sparse(fields)]


def build_ruleset(
    ruleset_id: str, version: int, title: str, board: str, layers: list[Layer]
) -> RuleSet | Rejection:
    """Resolve the layers, later ones over earlier ones, over the defaults; or the first thing that is wrong.

    Checked in this order: names and ranges (OPTION_UNKNOWN, OPTION_INVALID), contradictions
    (OPTION_CONFLICT), what this build plays (OPTION_NOT_SUPPORTED).
    """
    chosen: dict[str, int] = {}
    origins: dict[str, str] = {}
    for layer in layers:
        for name, written in layer.values.items():
            option = BY_NAME.get(name)
            if option is None:
                return Rejection(rejections.OPTION_UNKNOWN, f"{layer.origin}: there is no option {name!r}")
            value = parse(option, written)
            if isinstance(value, Rejection):
                return Rejection(value.name, f"{layer.origin}: {value.detail}")
            chosen[name] = value
            origins[name] = layer.origin
    values = [chosen.get(option.name, option.default) for option in OPTIONS]
    refused = _conflict(chosen, origins) or _unsupported(values, origins)
    if refused is not None:
        return refused
    return RuleSet(ruleset_id, version, title, board, [], values)


def with_house_rules(base: RuleSet, house: dict[str, Written]) -> RuleSet | Rejection:
    """The rule set with some options changed; naming an option at its present value changes nothing."""
    layers = [Layer(base.id, base.written()), Layer("house rules", house)]
    changed = build_ruleset(base.id, base.version, base.title, base.board, layers)
    if isinstance(changed, Rejection):
        return changed
    names = [
        option.name
        for option, before, after in zip(OPTIONS, base.values, changed.values, strict=True)
        if before != after or option.name in base.house_rules
    ]
    return RuleSet(base.id, base.version, base.title, base.board, names, changed.values)


def _conflict(chosen: dict[str, int], origins: dict[str, str]) -> Rejection | None:
    found: list[str] = []
    for conflict in CONFLICTS:
        first, second = BY_NAME[conflict.first], BY_NAME[conflict.second]
        one = chosen.get(first.name, first.default)
        two = chosen.get(second.name, second.default)
        if conflict.hits(one, two):
            said = f"{_said(first, one, origins)} contradicts {_said(second, two, origins)}"
            found.append(f"{said}: {conflict.reason}")
    for bound in BOUNDS:
        small, large = BY_NAME[bound.small], BY_NAME[bound.large]
        one = chosen.get(small.name, small.default)
        two = chosen.get(large.name, large.default)
        if bound.hits(one, two):
            said = f"{_said(small, one, origins)} does not fit into {_said(large, two, origins)}"
            found.append(f"{said}: {bound.reason}")
    return Rejection(rejections.OPTION_CONFLICT, "; ".join(found)) if found else None


def _unsupported(values: list[int], origins: dict[str, str]) -> Rejection | None:
    for option, value in zip(OPTIONS, values, strict=True):
        if not option.supports(value):
            detail = (
                f"{_said(option, value, origins)} is not played yet; supported: {option.supported_text()}"
            )
            return Rejection(rejections.OPTION_NOT_SUPPORTED, detail)
    return None


def _said(option: Option, value: int, origins: dict[str, str]) -> str:
    return f"{option.name}: {option.text(value)} ({origins.get(option.name, 'default')})"
