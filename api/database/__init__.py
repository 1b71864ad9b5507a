"""The database: its connections and transactions, and the tables that belong to no domain.

Words: *transaction* (statements that take effect together, committed once), *lane* (a queue of its
own in front of the connections). A statement outside of a transaction is one by itself.
"""
