"""Battle Zone: the real-time quiz whose points decide ranks.

Terms: *seat* (the one socket a member plays from), *attempt* (one question served to one member,
with its deadline; open until answered or timed out), *step* (the result of a member's event),
*quota* (questions served per Lagos day), *arena* (the sockets playing on this worker).
"""
