"""What a process says about itself: logs and metrics."""
