"""The game service: lobby, seats, and the rules of play.

Owns the TABLE and RULES sections of a game's log: who sits where, whether the clocks run, and all that the
rules decide. Promises: a command has one effect; nobody acts for a seat without its token; what the API shows
is a fold of the log. The bank moves the money, the auction service decides about bids, the timer rings the
alarms; this service asks them and they ask it, all in one commit.
"""
