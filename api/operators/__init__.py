"""Operators: who works at the back office, what they may do, and what they have done.

Domains put their calls of the back office on it: ``api.http.admin_calls`` lets operators in,
``service.perform`` runs a write with its audit row, ``service.propose`` asks a second person.
Words: *operator* (who works there), *audit* (what was done), *approval* (what waits for a second
person), *executor* (what does it then).
"""
