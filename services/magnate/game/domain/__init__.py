"""Pure decisions of the game service that are not rules of play: opening a table, seats, start, pause."""
