"""Database connections, transactions, and the tables that belong to no domain.

Words: *transaction* (statements that take effect together, committed once), *lane* (a queue in
front of the connections). A statement outside a transaction is its own transaction.
"""
