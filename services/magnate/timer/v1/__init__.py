"""Generated from protos/magnate/timer/v1: the messages and services of `magnate.timer.v1`."""
