"""The log: commits, the port through which they are stored and read, and what is derived from them.

`port` is what everything else depends on; `memory` and `jetstream` are its two adapters.
"""
