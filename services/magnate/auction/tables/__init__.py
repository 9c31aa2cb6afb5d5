"""Auctions at tables of the bank and at ledgers that clients opened, where no rules say what is sold.

Who may open one, whose cards bid, where the price goes. Nobody is asked what follows from a sale: the close
is the price, from the winner's hold to the payee.
"""
