"""Generated from protos/magnate/auction/v1: the messages and services of `magnate.auction.v1`."""
