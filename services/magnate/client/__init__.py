"""A client as a third party would write it: public protos only, nothing else of Magnate."""
