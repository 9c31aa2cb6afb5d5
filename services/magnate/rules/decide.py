"""`decide(state, seat, command, chance) -> Decision | Rejection`, and the other things that change a game.

    start    the game begins                          given    a sandbox table begins from a position
    decide   a seat's command, on a copy              advance  the same in place (benches, simulations)
    settle   an auction ended                         abandon  nobody came back: the game is ended and counted
    close_window   the time to want one of the last buildings is over

`elapsed_ms` is the game's time since its start, pauses not counted: only rules that change with the minutes
look at it, and what they come to is said by events, so that folding needs no clock.

A refusal is a value and leaves nothing changed. Nothing here raises but a bug, and scripted chance that ran
out (`ChanceExhausted`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from magnate.rules.chance import Chance
from magnate.rules.decision import NOBODY, Decision
from magnate.rules.draft import Draft
from magnate.rules.flow import proceed
from magnate.rules.gates import in_game
from magnate.rules.position import begin_at
from magnate.rules.rejections import GAME_OVER, INVALID_TARGET, NO_AUCTION, NOT_STARTED, Rejection
from magnate.rules.steps.auction import settle_outcome
from magnate.rules.steps.bankrupt import declare_bankruptcy, resign
from magnate.rules.steps.build import build, sell
from magnate.rules.steps.buy import buy_lot, decline_lot
from magnate.rules.steps.choice import choose_option, skip
from magnate.rules.steps.claim import claim_rent
from magnate.rules.steps.clock import has_news, refuse_late, tick
from magnate.rules.steps.debt import pay_debt
from magnate.rules.steps.end import finish
from magnate.rules.steps.give_back import return_lots
from magnate.rules.steps.hand import drawn_card, pass_go, place_token
from magnate.rules.steps.jackpot import stake
from magnate.rules.steps.jail import pay_fine, use_jail_card
from magnate.rules.steps.kept import play_card
from magnate.rules.steps.loan import repay_loan, take_loan
from magnate.rules.steps.mortgage import mortgage, redeem
from magnate.rules.steps.place import place_building
from magnate.rules.steps.roll import roll
from magnate.rules.steps.shortage import settle_building, time_is_up, want_building
from magnate.rules.steps.start import begin
from magnate.rules.steps.trade import accept, counter, offer, reject, withdraw
from magnate.rules.steps.turn import end_turn
from magnate.rules.vocabulary import (
    END_REASON_ABANDONED,
    PHASE_OVER,
    AcceptOffer,
    AuctionOutcome,
    Build,
    BuyLot,
    ChooseOption,
    ClaimRent,
    Command,
    CounterOffer,
    DeclareBankruptcy,
    DeclineLot,
    DrawnCard,
    EndTurn,
    MortgageLots,
    OfferTrade,
    PassAuction,
    PassGo,
    PayDebt,
    PayFine,
    PlaceBid,
    PlaceBuilding,
    PlaceToken,
    PlayCard,
    PositionGiven,
    RedeemLots,
    RejectOffer,
    RepayLoan,
    Resign,
    ReturnLots,
    Roll,
    SellBuildings,
    SetProxyBid,
    Skip,
    Stake,
    TakeLoan,
    UseJailCard,
    WantBuilding,
    WithdrawOffer,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.rules.state import State

STEPS: Final[dict[type[Command], Callable[[Draft, int, Any], Rejection | None]]] = {
    Roll: roll,
    BuyLot: buy_lot,
    DeclineLot: decline_lot,
    Build: build,
    SellBuildings: sell,
    MortgageLots: mortgage,
    RedeemLots: redeem,
    OfferTrade: offer,
    CounterOffer: counter,
    AcceptOffer: accept,
    RejectOffer: reject,
    WithdrawOffer: withdraw,
    PayFine: pay_fine,
    UseJailCard: use_jail_card,
    ChooseOption: choose_option,
    PayDebt: pay_debt,
    DeclareBankruptcy: declare_bankruptcy,
    Resign: resign,
    EndTurn: end_turn,
    ClaimRent: claim_rent,
    TakeLoan: take_loan,
    RepayLoan: repay_loan,
    Stake: stake,
    PlayCard: play_card,
    WantBuilding: want_building,
    PlaceBuilding: place_building,
    Skip: skip,
    ReturnLots: return_lots,
    PlaceToken: place_token,
    PassGo: pass_go,
    DrawnCard: drawn_card,
}


class _NoChance(Chance):
    """For what never draws."""

    __slots__ = ()


_NO_CHANCE: Final = _NoChance()


def start(state: State, chance: Chance) -> Decision:
    """Begin the game on a copy of a fresh state."""
    decision = Decision()
    begin(Draft(state.copy(), chance, decision))
    return decision


def given(state: State, position: PositionGiven, cash: list[int]) -> Decision | Rejection:
    """Begin a sandbox table on a copy of a fresh state; INVALID_POSITION says what is wrong."""
    decision = Decision()
    refused = begin_at(Draft(state.copy(), _NO_CHANCE, decision), position, cash)
    return decision if refused is None else refused


def decide(
    state: State, seat: int, command: Command, chance: Chance, elapsed_ms: int = 0
) -> Decision | Rejection:
    """What a seat's command comes to; the state stays as it is."""
    decision = Decision()
    refused = advance(state.copy(), seat, command, chance, decision, elapsed_ms)
    return decision if refused is None else refused


def advance(
    state: State, seat: int, command: Command, chance: Chance, decision: Decision, elapsed_ms: int = 0
) -> Rejection | None:
    """The same in place: the state moves along; a refusal leaves it as it was."""
    draft = Draft(state, chance, decision)
    draft.elapsed_ms = elapsed_ms
    return act(draft, seat, command)


def act(draft: Draft, seat: int, command: Command) -> Rejection | None:
    """The same on a draft, which a simulation keeps for a whole game."""
    state = draft.state
    phase = state.phase
    if not phase or phase == PHASE_OVER or not 0 <= seat < state.seats or state.out[seat]:
        return in_game(state, seat)
    step = STEPS.get(type(command))
    if step is None:
        return _not_ours(state, command)
    if state.rules.in_time and draft.elapsed_ms >= draft.quiet_ms and has_news(draft):
        return _act_in_time(draft, seat, command)
    refused = step(draft, seat, command)
    if refused is None:
        proceed(draft)
    return refused


def _act_in_time(draft: Draft, seat: int, command: Command) -> Rejection | None:
    """The same where time has passed: first what the minutes bring, which a refusal takes back."""
    extras = draft.state.extras
    said = len(draft.events)
    rule, up = extras.time_rule, extras.time_up
    tick(draft)
    refused = refuse_late(draft.state, draft.elapsed_ms) or STEPS[type(command)](draft, seat, command)
    if refused is None:
        proceed(draft)
    else:
        del draft.events[said:]
        extras.time_rule = rule
        extras.time_up = up
    return refused


def pass_time(state: State, chance: Chance, decision: Decision, elapsed_ms: int) -> Rejection | None:
    """Nobody did anything, but the agreed time may be over: in place. NOT_STARTED, GAME_OVER."""
    draft = Draft(state, chance, decision)
    draft.elapsed_ms = elapsed_ms
    return pass_time_on(draft)


def pass_time_on(draft: Draft) -> Rejection | None:
    """The same on a draft."""
    refused = _over(draft.state)
    if refused is None:
        tick(draft)
        proceed(draft)
    return refused


def settle(
    state: State, outcome: AuctionOutcome, chance: Chance, decision: Decision, elapsed_ms: int = 0
) -> Rejection | None:
    """An auction ended: in place, what the hammer leads to. NOT_STARTED, GAME_OVER, NO_AUCTION.

    The winner's money is taken in the state; the ledger record is the auction's (capture of its hold).
    """
    draft = Draft(state, chance, decision)
    draft.elapsed_ms = elapsed_ms
    return settle_on(draft, outcome)


def settle_on(draft: Draft, outcome: AuctionOutcome) -> Rejection | None:
    """The same on a draft, which a simulation keeps for a whole game."""
    refused = _over(draft.state)
    if refused is not None:
        return refused
    building = outcome.lot == NOBODY
    refused = settle_building(draft, outcome) if building else settle_outcome(draft, outcome)
    if refused is None:
        if draft.state.rules.in_time:
            tick(draft)
        proceed(draft)
    return refused


def close_window(state: State, decision: Decision) -> Rejection | None:
    """The time to say that one wants one of the last buildings is over: in place. NOT_STARTED, GAME_OVER."""
    refused = _over(state)
    if refused is None:
        draft = Draft(state, _NO_CHANCE, decision)
        time_is_up(draft)
        proceed(draft)
    return refused


def abandon(state: State, decision: Decision) -> Rejection | None:
    """End a game that nobody plays any more: in place. NOT_STARTED, GAME_OVER."""
    refused = _over(state)
    if refused is None:
        finish(Draft(state, _NO_CHANCE, decision), END_REASON_ABANDONED)
    return refused


def _over(state: State) -> Rejection | None:
    if state.phase == 0:
        return Rejection(NOT_STARTED)
    return Rejection(GAME_OVER) if state.phase == PHASE_OVER else None


def _not_ours(state: State, command: Command) -> Rejection:
    if isinstance(command, (PlaceBid, PassAuction, SetProxyBid)):
        if state.auction == 0:
            return Rejection(NO_AUCTION)
        return Rejection(INVALID_TARGET, "bids are the auction's to judge")
    return Rejection(INVALID_TARGET, "the rules know no such command")
