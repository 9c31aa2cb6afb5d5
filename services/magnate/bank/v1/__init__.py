"""Generated from protos/magnate/bank/v1: the messages and services of `magnate.bank.v1`."""
