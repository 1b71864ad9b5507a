"""Stored jobs: work that must not be lost, stored in the transaction that causes it.

Words: *kind* (a type of job: a name, the schema of its payload, its retries), *handler* (runs it),
*dead letter* (a job that failed permanently and waits for an operator). pgqueuer provides the
queue; ``api.app.worker`` is the process that runs the jobs.
"""
