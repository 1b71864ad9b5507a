"""A simulated month of money, which must equal a model of it to the kobo.

``python -m tests.endurance.month [--events N] [--workers W] [--kills-every SECONDS] [--seed S]``

Members and operators act over HTTP, sixteen at a time: wallets are funded by two providers whose
reports come twice, late, never or forged; orders are paid, cancelled, shipped and refunded; plans
are bought, given and renewed; payments are disputed and charged back; second people decide.
Meanwhile the server or the worker is killed with SIGKILL every few seconds.

Time is simulated by days: when a day's share of the events is done nobody acts, and open orders,
plans, fundings and proposals are moved a day into the past with the call that tests have for it
(``dev/age``). What is over by then is found at once by its job, which an operator starts; on every
second day it is left to the worker and to who looks. No clock is moved.

At the end every wallet, order, size, period, funding and receipt of the database equals the model,
which was written from the contract, and ``python -m api.console prove`` finds nothing.
"""
