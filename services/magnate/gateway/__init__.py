"""The gateway: our client-facing services for browsers, over Connect, gRPC-Web and JSON on one port.

It knows no service: what it serves is read from the descriptors, and every call is passed on to the service's
own processes over gRPC. It also serves the page that lies in `page/`.
"""
