"""Holds the generated package `v1` of `auction`."""
