"""Bots that play over the public API: one that does anything legal, one with some sense."""
