"""Whether a rule set can be played on a board: an option that is on must find there what it is about.

Any board that fits may be chosen for a table, so neither can name the other; this is the one place where
the two are compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.board import FREE_PARKING, UTILITY
from magnate.rules.choices import TOKENS_BY_HAND, WHEN_AT_PURCHASE, WHEN_NEVER
from magnate.rules.effects import EFFECT_DRAW, EFFECT_REVERSE_NEXT_MOVE, EFFECT_SKIP_TURN
from magnate.rules.options_table import BY_NAME
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet


_OF_TURNS: Final = (EFFECT_DRAW, EFFECT_REVERSE_NEXT_MOVE, EFFECT_SKIP_TURN)


def misfit(board: Board, rules: RuleSet, seats: int = 0) -> str:
    """The option that does not fit the board and why, or an empty text.

    `seats` is the size of the table; where it is not known yet, the most there can be.
    """
    return (
        _misfit_levels(board, rules)
        or _misfit_buildings(board, rules)
        or _misfit_amounts(board, rules)
        or _misfit_hands(board, rules)
        or _misfit_seats(board, rules, seats or min(rules.players_max, board.players_max))
    )


def refuse_misfit(board: Board, rules: RuleSet, seats: int = 0) -> Rejection | None:
    """OPTION_CONFLICT if the rule set does not fit the board."""
    reason = misfit(board, rules, seats)
    return Rejection(rejections.OPTION_CONFLICT, reason) if reason else None


def _misfit_levels(board: Board, rules: RuleSet) -> str:
    """Rent levels are bought with the lot; where there are none, lots are built on (rows 35, 52)."""
    if board.rent_levels == 0:
        if rules.build_when == WHEN_AT_PURCHASE:
            return _said(board, rules, "build.when", "its streets have no rent levels")
        for option in ("rent.level_rises_paid", "rent.level_rises_own", "rent.level_rises_set"):
            if _value(rules, option):
                return _said(board, rules, option, "its streets have no rent levels")
    elif rules.build_when != WHEN_AT_PURCHASE:
        return _said(board, rules, "build.when", "its streets have rent levels, which come with the purchase")
    return ""


def _misfit_buildings(board: Board, rules: RuleSet) -> str:
    """A deed names the rent of the bare lot, of each house and of the hotel (rows 29, 55)."""
    if board.rent_levels:
        return ""
    for lot in board.streets:
        most = len(board.rents[lot]) - 2
        if rules.build_houses_before_hotel > most:
            reason = f"{board.names[lot]} has rents for {most} buildings before the last one"
            return _said(board, rules, "build.houses_before_hotel", reason)
    return ""


def _misfit_amounts(board: Board, rules: RuleSet) -> str:
    """What only some boards have: mortgages, a share of the tax, a pot's square, time rules, a loan."""
    if rules.mortgage_when != WHEN_NEVER and not any(board.mortgage_value):
        return _said(board, rules, "mortgage.when", "its lots have no mortgage")
    if rules.tax_percent_choice and not any(board.tax_percent):
        return _said(board, rules, "tax.percent_choice", "no tax square of it offers a share instead")
    if rules.parking_pot and FREE_PARKING not in board.kind:
        return _said(board, rules, "parking.pot", "it has no free parking that pays the pot out")
    if rules.time_rules_enabled and not board.time_rules:
        return _said(board, rules, "time_rules.enabled", "it has no time rules")
    if rules.loan_enabled and board.loan_amount == 0:
        return _said(board, rules, "loan.enabled", "it does not say what the bank lends")
    return ""


def _misfit_hands(board: Board, rules: RuleSet) -> str:
    """What the game cannot know where tokens are moved by hand: a throw, and a turn to be left out."""
    if rules.table_tokens != TOKENS_BY_HAND:
        return ""
    for deck in board.decks:
        for card in deck.cards:
            for effect in card.effects:
                if any(one.kind in _OF_TURNS for one in [effect, *effect.options]):
                    reason = f"the card {card.id} needs the game's own turns"
                    return _said(board, rules, "table.tokens", reason)
    if UTILITY in board.kind:
        return _said(board, rules, "table.tokens", "the rent of its utilities counts the dice")
    return ""


def _misfit_seats(board: Board, rules: RuleSet, seats: int) -> str:
    if rules.players_max < board.players_min:
        return _said(board, rules, "players.max", f"it is played by {board.players_min} or more")
    if rules.deal_deeds * seats > len(board.lots):
        return _said(board, rules, "deal_deeds", f"it has {len(board.lots)} lots for {seats} seats")
    return ""


def _value(rules: RuleSet, name: str) -> int:
    for option, value in zip(BY_NAME.values(), rules.values, strict=True):
        if option.name == name:
            return value
    return 0


def _said(board: Board, rules: RuleSet, name: str, reason: str) -> str:
    value = BY_NAME[name].text(_value(rules, name))
    return f"{name}: {value} does not fit the board {board.id}: {reason}"
