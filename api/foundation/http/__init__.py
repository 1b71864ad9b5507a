"""HTTP: middleware, the format of responses, and dependencies of routers.

Words: *envelope* (the shape of every response), *refusal* (an error response with a status, a
stable code and a sentence), *wire* (JSON as callers see it).
"""
