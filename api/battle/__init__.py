"""Battle Zone: the real-time quiz that ranks are climbed by.

Words: *seat* (the one socket a member plays from), *attempt* (one question served to one member,
with its deadline; open until answered or timed out), *step* (what a member's event led to),
*quota* (questions served a Lagos day), *arena* (the sockets that play on this worker).
"""
