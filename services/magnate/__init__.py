"""Magnate: the backend for property-trading board games played with bank cards."""

from magnate import compiled

compiled.install()
