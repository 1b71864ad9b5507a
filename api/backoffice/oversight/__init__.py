"""Operators: who has access to the back office, what they may do, and what they have done.

Domains build their back-office routes on it: ``api.foundation.http.admin_calls`` authenticates
operators, ``service.perform`` runs a write with its audit entry, ``service.propose`` requests a
second person. Words: *operator* (a person with access), *audit* (the record of actions), *approval*
(a proposal that awaits a second person), *executor* (carries it out once approved).
"""
