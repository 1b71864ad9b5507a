"""Random actions of operators, compared with a model of who may credit what.

``python -m tests.endurance.credits [--sequences N] [--seed S] [--first N] [--no-matrix]``

Each sequence has its own operators, in any of the six roles and with their member accounts, and its
own fans. Operators adjust, give, accept, refund, cancel and confirm amounts around the limits. They
approve and refuse, raise and lower limits, change proposals, repeat calls with their keys, and act
concurrently, across midnight in Lagos and in London. People try to open a second account with
another spelling of their address. The model is written from contract T-1 and never queries the
product. After each step its answers with their reasons, its balances, its credits with their
initiators and its open approvals must equal the product's. At the end the ledger audit must find
nothing.
"""
