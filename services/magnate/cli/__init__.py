"""The `magnate` command: run everything, play a demo, replay, verify, look at a game's log."""
