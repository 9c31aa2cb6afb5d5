"""Auctions: bids, passes and the fall of the hammer.

Owns the auction section of every commit and the deadlines with owner `auction`. Promises: a bid is either in
the log with its money held, or nothing happened; being outbid gives the money back in the same commit; an
auction closes once, whatever crashes, and its close is one commit with the price, the deed and what the game
does next.
"""
