"""The card terminals, pure: keys and cards in; payments, sounds and what the display shows out.

`machine` is the door: `operate`, `settle`, `frame` and `refused` for every model of unit. No I/O, no clock.
docs/terminal.md tells what each key does.
"""
