"""The deterministic simulator: all services in one process, with a clock, a network and a log of its own.

`python -m tests.sim --seeds 500`; see docs/simulator.md.
"""
