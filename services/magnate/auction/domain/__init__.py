"""What decides about auctions: pure, no I/O, no clock. One kind of auction a file."""
