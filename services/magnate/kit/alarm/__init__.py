"""Alarms: one for each game, at its earliest deadline. `port` is what others depend on."""
