"""The referee of simulated games raises when books, folds or invariants are not as they should be."""

from __future__ import annotations

import pytest

from magnate.rules.decision import BANK, POT_JACKPOT, Decision, Transfer
from magnate.rules.draft import Draft
from magnate.rules.loader import load_board
from magnate.rules.referee import IllegalStateError, Referee
from magnate.rules.simulate import Game
from magnate.rules.tally import Tally
from magnate.rules.vocabulary import TokenMoved
from tests.support.classic import rules


def watched(*, thorough: bool = False) -> tuple[Game, Referee]:
    """A game of three under way, and its referee."""
    game = Game(load_board("classic-us"), rules(), 3, seed=4)
    game.bold = True
    game.referee = referee = Referee(game.state, Tally(40, 8, 8), thorough)
    game.start()
    for _ in range(200):
        game.step()
    return game, referee


@pytest.mark.parametrize("thorough", [False, True])
def test_a_game_is_watched_to_its_end(*, thorough: bool) -> None:
    """Books and second state follow the game through purchases, auctions, deals and bankruptcies."""
    game, referee = watched(thorough=thorough)
    while not game.over:
        game.step()
    assert sum(referee.accounts) == 0
    assert referee.accounts[:3] == game.state.cash


def test_money_from_nowhere_is_noticed() -> None:
    """What a seat has must be what was paid to it."""
    game, referee = watched()
    game.state.cash[0] += 1
    with pytest.raises(IllegalStateError, match="in the ledger"):
        referee.judge(game.state)


def test_books_that_do_not_balance_are_noticed() -> None:
    """All accounts together are nothing, whoever has what."""
    game, referee = watched()
    referee.accounts[BANK] += 1
    with pytest.raises(IllegalStateError, match="all accounts together are 1"):
        referee.judge(game.state)


def test_a_pot_that_holds_something_else_is_noticed() -> None:
    """Pots are accounts like others."""
    game, referee = watched()
    referee.moved(BANK, POT_JACKPOT, 7)
    with pytest.raises(IllegalStateError, match="pot -3 holds 0, in the ledger 7"):
        referee.judge(game.state)


def test_a_change_without_an_event_is_noticed() -> None:
    """Folding what was decided must give what was decided on; only a thorough referee sees that."""
    for thorough in (False, True):
        game, referee = watched(thorough=thorough)
        game.state.turn += 1
        draft = Draft(game.state, game.chance, Decision())
        if thorough:
            with pytest.raises(IllegalStateError, match="folding the events"):
                referee.after(draft)
        else:
            referee.after(draft)


def test_what_is_wrong_between_two_events_is_noticed() -> None:
    """A thorough referee checks after every event, and names it."""
    game, referee = watched(thorough=True)
    assert referee.twin is not None
    referee.twin.houses_left += 1
    draft = Draft(game.state, game.chance, Decision())
    draft.events.append(TokenMoved(0, 0, 1, 1))
    with pytest.raises(IllegalStateError, match=r"after TokenMoved.*houses"):
        referee.after(draft)


def test_a_payment_that_was_not_made_is_noticed() -> None:
    """A transfer that is said and not done."""
    game, referee = watched()
    draft = Draft(game.state, game.chance, Decision())
    draft.transfers.append(Transfer(BANK, 1, 5, 2))
    with pytest.raises(IllegalStateError, match="seat 1 has"):
        referee.after(draft)
