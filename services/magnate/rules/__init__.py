"""The rules of the game, pure: a board and a rule set as data, and a state machine that decides and folds.

Owns every rule and nothing else: no clock, no chance of its own, no input or output. `loader` is the one
module here that reads files; everything else computes on what it is given, so the same source runs
compiled or not.
"""
