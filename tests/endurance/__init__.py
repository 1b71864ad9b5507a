"""Long proofs, as commands: a ledger under random load, and a shop that is killed while it sells.

``python -m tests.endurance.ledger`` and ``python -m tests.endurance.crash`` run them in full;
``test_endurance.py`` runs short ones with every test run.
"""
