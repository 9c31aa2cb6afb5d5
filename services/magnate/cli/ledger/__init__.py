"""`magnate ledger`: what can be done with a ledger from the command line."""
