"""Wallet: the naira ledger.

Terms: *account*, *transfer* (one row moves money from a debit to a credit account), *reference*
(the caller's name for a transfer; the same one twice changes nothing), *statement*.
"""
