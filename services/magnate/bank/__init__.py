"""The bank: owns the ledger section of every commit, and with it all money.

It promises: every entry sums to zero, checked when written and when read; no account but the bank's own is
ever below zero; what a hold reserves cannot be spent otherwise; only the bank writes ledger sections,
and a commit that moves money lands whole or not at all.
"""
