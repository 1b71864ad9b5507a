"""HTTP: what every call passes, what every answer looks like, and what routers depend on.

Words: *envelope* (the shape of every answer), *refusal* (an answer that says no, with a status, a
stable code and a sentence), *wire* (JSON as callers see it).
"""
