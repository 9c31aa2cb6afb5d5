"""Units in running games: the bank as a client of the game service, and what a unit is shown of a game.

The section of the unit lies in the game's own log. The game service owns everything else there.
"""
