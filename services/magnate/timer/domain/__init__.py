"""What is pending and what is due: pure, no I/O, no clock."""
