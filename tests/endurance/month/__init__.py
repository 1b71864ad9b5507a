"""A simulated month of money, which must equal a model of it to the kobo.

``python -m tests.endurance.month [--events N] [--workers W] [--members M] [--days D]
[--kills-every SECONDS] [--seed S]``

Members and operators act over HTTP, sixteen concurrently. Wallets are funded by two providers,
whose reports arrive twice, late, never or forged. Orders are paid, cancelled, shipped and refunded.
Plans are bought, given and renewed. Payments are disputed and charged back. Second operators decide
proposals. Meanwhile the server or the worker is killed with SIGKILL every few seconds.

Time is simulated by days: after a day's share of the events all activity stops, and open orders,
plans, fundings and proposals are moved a day into the past with the test-only call ``dev/age``.
Overdue rows are then processed at once by their job, which an operator starts; every second day
this is left to the worker and to reads. No clock is moved.

At the end every wallet, order, size, period, funding and receipt of the database equals the model,
which was written from the contract, and ``python -m api.console prove`` finds nothing.
"""
