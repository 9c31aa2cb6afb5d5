"""Generated messages of the stored log format."""
