"""One step of the game a file: what a seat may try, when it is refused, and the folds of what it leads to.

A step is `step(draft, seat, command) -> Rejection | None`: every refusal stands before the first `emit`
or `pay`. The general refusals (game over, seat out, …) were made by `decide` already.
"""
