"""The bot of the simulation finds a command whatever the position."""

from __future__ import annotations

from magnate.rules.chance import RandomChance
from magnate.rules.kinds import BUILD, MORTGAGE_LOTS
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.random_bot import RandomBot
from magnate.rules.vocabulary import MortgageLots, Roll
from tests.support.classic import A, B, begin, position


def test_the_bot_goes_on_where_only_a_larger_building_command_would_do() -> None:
    """Two lots of three houses may become hotels at once, one alone may not: the bot throws instead."""
    made = position(2).own(A, 37, 39, level=3).own(B, 16, 18, 19, level=4)
    made.own(B, 31, 32, 34, level=4).own(B, 6, level=0)
    made.houses = 0
    table = begin(made, (1, 2))
    state = table.state
    assert state.houses_left == 0
    assert legal_kinds(state, A) & BUILD
    bot = RandomBot(state, RandomChance(1))
    for _ in range(40):
        command = bot.command(A)
        assert command == Roll() or type(command).__name__.startswith("Mortgage"), command


def test_the_bot_mortgages_a_bare_lot_of_a_built_group_where_it_may() -> None:
    """Row 71, C8 by the letter: only the lot itself must be bare, and the bot finds it."""
    made = position(2, mortgage__clear="lot").own(A, 16, 18, level=1).own(A, 19)
    made.cash[A] = 0
    table = begin(made, (1, 2))
    assert legal_kinds(table.state, A) & MORTGAGE_LOTS
    bot = RandomBot(table.state, RandomChance(1))
    assert MortgageLots([19]) in [bot.command(A) for _ in range(60)]
