"""`magnate table`: a bank without a game, for people at a real board who have no page."""
