"""Generated from protos/magnate/game/v1: the messages and services of `magnate.game.v1`."""
