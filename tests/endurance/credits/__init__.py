"""Random acts of operators, compared with a model of who may credit what.

``python -m tests.endurance.credits [--sequences N] [--seed S] [--first N] [--no-matrix]``

Each sequence has its own operators, in any of the six roles, with their member accounts, and fans.
Operators adjust, give, accept, refund, cancel and confirm around the limits; they approve, refuse,
raise and lower limits, change proposals, repeat calls under their keys and act concurrently, across
midnight in Lagos and in London; and people try to open a second account under another spelling of
their address. The model is written from contract T-1 and never queries the product. After each step
its answers with their reasons, balances, credits with their initiators and open approvals must
equal the product's; at the end the ledger audit has no finding.
"""
