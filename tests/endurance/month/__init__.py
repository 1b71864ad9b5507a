"""A simulated month of money, which must equal a model of it to the kobo.

``python -m tests.endurance.month [--events N] [--workers W] [--kills-every SECONDS] [--seed S]``

Members and operators act over HTTP, sixteen concurrently: wallets are funded by two providers whose
reports come twice, late, never or forged; orders are paid, cancelled, shipped and refunded; plans
are bought, given and renewed; payments are disputed and charged back; second operators decide.
Meanwhile the server or the worker is killed with SIGKILL every few seconds.

Time is simulated by days: after a day's share of the events all activity stops, and open orders,
plans, fundings and proposals are moved a day into the past with the call for tests (``dev/age``).
Overdue rows are processed at once by their job, which an operator starts; on every second day this
is left to the worker and to reads. No clock is moved.

At the end every wallet, order, size, period, funding and receipt of the database equals the model,
which was written from the contract, and ``python -m api.console prove`` finds nothing.
"""
