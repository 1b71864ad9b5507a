"""Random acts of operators against a model of who may credit what.

``python -m tests.endurance.credits [--sequences N] [--seed S] [--first N] [--no-matrix]``

Each sequence has operators of its own, in any of the six roles, their members' accounts, and fans.
They adjust, give, accept, refund, cancel and confirm around the limits; they agree, refuse, raise
and lower limits, change what they proposed, repeat calls under their keys and do two things at
once, over midnight in Lagos and in London; and people try to have a second account under another
spelling of their address. The model is written from contract T-1 and asks the product nothing. It
says each answer with its reasons, each balance and what waits; afterwards the rows say who stands
for each credit, and the ledger's proof has no finding.
"""
