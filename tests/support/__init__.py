"""What tests share: fakes, builders, and readers of the project itself."""
