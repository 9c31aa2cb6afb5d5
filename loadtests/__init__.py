"""Load tests: many games at once over gRPC, measured and then verified. `make load` runs them."""
