"""`magnate timer`: what a game or a table waits for, and timers of one's own."""
