"""Long-running tests as commands, such as a ledger under random load and a shop that is killed.

``python -m tests.endurance.ledger`` and ``python -m tests.endurance.crash`` run them in full;
``test_endurance.py`` runs short versions with every test run.
"""
