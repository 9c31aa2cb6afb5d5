"""Generated from protos/magnate/rules/v1: the messages and services of `magnate.rules.v1`."""
