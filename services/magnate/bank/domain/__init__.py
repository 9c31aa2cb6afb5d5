"""The ledger, pure: accounts, entries, holds, and the four words `State, INITIAL, decide, evolve`.

No I/O, no clock, no randomness; what happened is a list of records, and folding them gives the balances.
"""
