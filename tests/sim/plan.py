"""What a seed decides before anything runs: the rules, the players, and which faults there are."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING, Final

from magnate.cli.simulate.mixed import changes, mixed
from magnate.rules.fit import misfit
from magnate.rules.loader import OURS
from magnate.rules.options import of_text
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import with_house_rules

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet

FAULTS: Final = {
    "disorder": "ready callbacks run in any order",
    "delays": "messages are under way for up to seconds",
    "losses": "requests and answers of clients are lost",
    "duplicates": "calls of clients are carried out twice",
    "breaks": "connections between processes break",
    "partitions": "processes cannot reach each other, or the log, for a while",
    "crashes": "processes are killed at any moment and started again",
    "drains": "processes are asked to stop, which they do in order",
    "stalls": "processes stand still for a while",
    "cluster": "the log is a cluster: message ids, appends in flight",
    "elections": "the log has no leader for seconds",
    "lost_acks": "appends are stored and not acknowledged",
    "slow_log": "the log takes seconds to answer",
    "replicas": "reads come from a replica that is behind (of a cluster)",
    "late_watch": "messages of new commits are lost, and found with the next beat",
    "alarms": "alarms ring late, twice or never",
    "small": "snapshots every few commits, and few commands are remembered",
    "skew": "wall clocks are seconds apart",
    "steps": "wall clocks are set forward and back",
    "jumps": "wall clocks are off by up to an hour, or run fast or slow, until somebody sets them right",
}
"""Every kind of fault by name; `--without` leaves some out."""

FAULT_CHANCE: Final = 0.55
HOUSE_RULE_CHANCE: Final = 0.4
GAME: Final = "game"
LEDGER: Final = "ledger"
CARDS: Final = "cards"
SALES: Final = ((LEDGER, 0.1), (CARDS, 0.25))
"""What seeds have below so much that have no game: auctions at a ledger of clients, or at a card table."""
UNIT_CHANCE: Final = 0.8
"""How many games have the bank's unit where payment is by card; of the others a quarter of that."""
COMMANDS_MAX: Final = 200
HOUSE_RULES: Final[dict[str, tuple[str, ...]]] = {
    "deal_deeds": ("4",),
    "timers.roll_seconds": ("0", "3", "8", "20"),
    "timers.pay_seconds": ("0", "3", "8", "20"),
    "timers.deal_seconds": ("0", "3", "10"),
    "timers.expiry": ("bankrupt", "default_action"),
    "auction.enabled": ("true",),
    "auction.mode": ("open", "penny", "sealed", "vickrey", "dutch"),
    "auction.close_seconds": ("1", "3", "8"),
    "auction.style": ("open_outcry", "by_turn"),
    "auction.bid_limit": ("cash", "liquidation", "none"),
    "auction.unsold": ("stays_free", "put_up_again"),
    "auction.extend_seconds": ("0", "1", "2"),
    "auction.extensions_max": ("0", "3"),
    "auction.decliner_may_bid": ("true", "false"),
    "auction.opening": ("any", "decliner_sets_minimum", "list_price", "zero_step"),
    "auction.estate": ("one_by_one", "at_once"),
    "auction.cap_seconds": ("0", "10"),
    "auction.calls_seconds": ("0", "1"),
    "auction.leaver": ("void", "previous"),
    "auction.proxy": ("true",),
    "auction.penny_fee": ("0", "5"),
    "auction.penny_refund": ("none", "losers"),
    "auction.ties": ("earliest", "turn_order"),
    "auction.dutch_tick_seconds": ("1", "3"),
    "timers.reserve_seconds": ("0", "5"),
    "timers.reserve_gain_seconds": ("0", "3"),
    "timers.reserve_max_seconds": ("0", "10"),
    "timers.away_seconds": ("0", "10"),
    "timers.misses_max": ("0", "1", "2"),
    "timers.misses_lead_to": ("stand_in", "resign"),
    "timers.stand_in_seconds": ("1", "3"),
    "timers.extra_seconds_max": ("0", "20"),
    "timers.offer_stops_clock": ("true", "false"),
    "table.pause": ("anybody", "agreement"),
    "bankrupt.to_bank": ("auction", "free"),
    "debt.payment": ("by_card",),
    "build.shortage": ("first_come", "auction"),
    "resign.estate": ("as_bankrupt", "auction"),
    "end": ("last_player", "agreed_time"),
}
"""House rules about auctions, time and payment, of which each seed takes some; by option, their values."""


@dataclass(frozen=True)
class Plan:
    """One seed."""

    seed: int
    ruleset: str
    options: dict[str, str]
    seats: int
    commands: int
    faults: frozenset[str]
    think_seconds: float
    where: str
    unit: bool

    @property
    def words(self) -> str:
        """Return it as one line."""
        what = self.ruleset if self.where == GAME else f"a sale at a table of the kind {self.where},"
        what += " with a unit," if self.unit and self.where == GAME else ""
        house = " ".join(f"{name}={value}" for name, value in self.options.items())
        return (
            f"{what} {self.seats} seats, {self.commands} commands, {house or 'no house rules'}; "
            f"{' '.join(sorted(self.faults)) or 'no faults'}"
        )


def draw(seed: int, commands_max: int = COMMANDS_MAX, without: frozenset[str] = frozenset()) -> Plan:
    """Return the plan of a seed; what is left out changes nothing else of it."""
    chance = Random(f"plan {seed}")
    ruleset = chance.choice(OURS.ruleset_ids())
    rules = OURS.load_ruleset(ruleset)
    board = OURS.load_board(rules.board)
    most = min(board.players_max, rules.players_max, 5)
    seats = chance.randint(board.players_min, most)
    options: dict[str, str] = {}
    if chance.random() < 0.25:
        for word in changes(rules, mixed(rules, board, seats, f"house {seed}")):
            name, _, value = word.partition("=")
            options[name] = value
    for name, values in HOUSE_RULES.items():
        drawn = _draw(seed, name)
        if drawn < HOUSE_RULE_CHANCE:
            added = {**options, name: values[int(drawn / HOUSE_RULE_CHANCE * len(values))]}
            if _fits(rules, board, seats, added):
                options = added
    faults = {name for name in FAULTS if _draw(seed, name) < FAULT_CHANCE}
    commands = chance.choice((10, 20, 30, 40, 60, 80, 120, COMMANDS_MAX))
    return Plan(
        seed=seed,
        ruleset=ruleset,
        options=options,
        seats=seats,
        commands=min(commands, commands_max),
        faults=frozenset(faults - without),
        where=next((kind for kind, below in SALES if _draw(seed, "sale") < below), GAME),
        think_seconds=chance.choice((0.05, 0.3, 1.0)),
        unit=_draw(seed, "unit") < (UNIT_CHANCE if "debt.payment" in options else UNIT_CHANCE / 4),
    )


def _draw(seed: int, name: str) -> float:
    """Return a number from 0 to 1 that is this name's own: another name changes nothing of it."""
    digest = blake2b(f"{name} {seed}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) / (1 << 64)


def _fits(rules: RuleSet, board: Board, seats: int, options: dict[str, str]) -> bool:
    made = with_house_rules(rules, {name: of_text(value) for name, value in options.items()})
    return not isinstance(made, Rejection) and not misfit(board, made, seats)
