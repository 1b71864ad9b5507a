"""Chat: a club room and the Public room, over one socket.

Terms: *room* (an ordered stream of messages), *tab* (a room's name for its members: the club's name
or ``Public``), *seat* (one socket's place in both rooms), *message*.
"""
