"""Chat: a club's own room and the Public one, over one socket.

Words: *room* (where messages are in order), *tab* (what members call it: the club's name or
``Public``), *seat* (one socket's place in both rooms), *message*.
"""
