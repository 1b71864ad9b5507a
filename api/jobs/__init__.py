"""Stored jobs: work that must not be lost, written in the transaction that causes it.

Words: *kind* (what sort of work: a name, the shape of its payload, how often it is tried),
*handler* (what does it), *dead letter* (a job that failed for good and waits for an operator).
pgqueuer keeps the queue; ``api.worker`` is the process that works it off.
"""
