"""Generated from protos/magnate/log/v1: the messages and services of `magnate.log.v1`."""
