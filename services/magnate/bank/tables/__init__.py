"""Tables that only the bank keeps: cards, a unit and a ledger, for people at a real board.

A table is a log of its own. What happened at it is a TERMINAL section (cards, the unit) and a LEDGER section
(money) of the same commit; what is stored are outcomes, so that folding decides nothing.
"""
