"""gRPC as every service uses it: server bootstrap, interceptors, status table, channels, open stream."""
