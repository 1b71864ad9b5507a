"""The database: its connections and transactions, and the tables that belong to no domain.

Words: *unit of work* (one transaction that commits once), *direct call* (one statement that is its
own transaction), *lane* (a queue of its own in front of the connections).
"""
