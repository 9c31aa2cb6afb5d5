"""How our services reach what several of them need: plain values in and out, open streams in between.

A service that is asked by one other only is reached from that one's own `peers`.
"""
