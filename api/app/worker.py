"""``python -m api.app.worker``: processes stored and scheduled jobs beside the servers.

Any number of workers may run; the database coordinates the scheduled jobs.
"""

import asyncio
import signal
import sys
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from api.app.backup.nightly import NightlyBackup
from api.app.factories import (
    make_code_senders,
    make_database,
    make_mailer,
    make_media_store,
    make_push,
    make_push_carrier,
    make_sealer,
)
from api.backoffice.analytics.service import count_days_job
from api.community.moments.service import posting as moments_posting
from api.community.news.service import pictures
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.logs import set_up_logs
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job, Supervisor
from api.foundation.database.database import Database
from api.foundation.database.housekeeping import tidy_job
from api.foundation.database.safety import SafetyCheck
from api.foundation.jobs.clockwork import record_plan, recorded
from api.foundation.jobs.figures import Vitals
from api.foundation.jobs.heartbeat import beating
from api.foundation.jobs.kinds import Handler
from api.foundation.jobs.queue import JobQueue
from api.foundation.jobs.working import Worker
from api.foundation.media.storage import MediaStore
from api.foundation.media.sweeping import media_sweep_job
from api.foundation.metrics.loop_watch import LoopWatch
from api.foundation.server.gc_tuning import freeze
from api.foundation.server.process_settings import WRONG_SETTINGS, read_settings
from api.games.invites.service import reward_job
from api.games.matches.service import reminders
from api.games.predictions.jobs import SCORE_PREDICTIONS
from api.games.predictions.service.settling import PredictionScorer
from api.games.questions.service.statistics import statistics_job
from api.home.today.service.announcements import today_jobs
from api.messaging.notifications.jobs import NOTIFY_BY_MAIL
from api.messaging.notifications.live import NotificationMailer, send_mails_job
from api.messaging.push.jobs import SEND_PUSH
from api.messaging.push.live import PushSender, send_pushes_job
from api.money.ledger_audit.jobs import WARN_OF_LEDGER
from api.money.ledger_audit.live import LedgerWarner
from api.money.ledger_audit.service import prove_job
from api.money.subscriptions.service.reminding import remind_job
from api.money.subscriptions.service.renewing import renew_job
from api.people.auth.jobs import MAIL_CODE, TEXT_CODE
from api.people.auth.live import CodeDelivery
from api.people.clubs.service import queries as clubs_queries
from api.people.users.service import account as users_account
from api.shop.service import products as shop_products
from api.shop.service import proofs
from api.shop.service.orders import expire_job

DRAIN_SECONDS = 10.0  # for running jobs after SIGTERM
POOL_SIZE = 8
REFUSED_DATABASE = 3  # exit code
MEDIA_OWNERS = {
    "avatars": users_account.named_keys,
    "crests": clubs_queries.named_keys,
    "moments": moments_posting.named_keys,
    "news": pictures.named_keys,
    "shop": shop_products.named_keys,
    "proofs": proofs.named_proofs,
}


def main(arguments: list[str]) -> int:
    """Run until SIGTERM or SIGINT and return the exit code.

    ``--ready-file PATH`` creates an empty file once jobs are processed. ``--backups FOLDER`` stores
    backups that operators request there; in a deployment ``python -m api.app.backup`` does that.
    """
    settings = read_settings()
    if settings is None:
        return WRONG_SETTINGS
    set_up_logs(settings.log_level)
    parser = ArgumentParser(prog="python -m api.app.worker")
    parser.add_argument("--ready-file", type=Path)
    parser.add_argument("--backups", type=Path)
    options = parser.parse_args(arguments)
    return asyncio.run(work(settings, options.ready_file, options.backups))


async def work(
    settings: Settings, ready_file: Path | None = None, backups: Path | None = None
) -> int:
    """Run until SIGTERM or SIGINT and return the exit code.

    Running jobs then have ``DRAIN_SECONDS`` left. It does nothing for a database that production
    rejects.
    """
    stopping = asyncio.Event()
    exit_code = 0

    def refuse_database() -> None:
        nonlocal exit_code
        exit_code = REFUSED_DATABASE
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    database = make_database(settings, POOL_SIZE)
    safety = SafetyCheck(
        database,
        runtime_role=settings.database_runtime_role,
        is_needed=settings.is_production,
        end=refuse_database,
    )
    store = make_media_store(settings)
    metrics = Metrics()
    watch = LoopWatch(metrics)

    def vitals() -> Vitals:
        names = ("process_resident_memory_bytes", "process_open_fds")  # missing outside Linux
        memory, files = (int(metrics.registry.get_sample_value(name) or 0) for name in names)
        return Vitals(memory, files, round(watch.pop_maximum() * 1000))

    queue = JobQueue(make_sealer(settings))
    worker = Worker(
        database,
        queue,
        handlers(settings, database),
        on_ready=ready_file.touch if ready_file is not None else lambda: None,
        vitals=vitals,
    )
    supervisor = Supervisor(metrics)
    by_clock = clock_jobs(database, store, queue)
    asked = [] if backups is None else _backups_when_asked(settings, database, store, backups)
    for job in (*worker.jobs(), *asked, *(recorded(database, job) for job in by_clock)):
        supervisor.add(safety.before(job))
    supervisor.add(safety.job())
    supervisor.add(watch.job())
    # Start even if the database is unavailable right now: it may be recovering.
    with suppress(DatabaseUnavailableError):
        await safety.check()
        if not stopping.is_set():
            await record_plan(database, by_clock)
    freeze()
    supervisor.start()
    try:
        async with beating("worker"):
            await stopping.wait()
    finally:
        await worker.stop(DRAIN_SECONDS)
        await supervisor.stop()
        await store.aclose()
        await database.close()
    return exit_code


def _backups_when_asked(
    settings: Settings, database: Database, store: MediaStore, folder: Path
) -> list[Job]:
    kept_there = settings.model_copy(update={"backup_dir": folder})
    return NightlyBackup(kept_there, folder, database, store).jobs_when_asked()


def handlers(settings: Settings, database: Database) -> list[Handler[Any]]:
    """Return the handler of each kind of stored job."""
    mailer = make_mailer(settings)
    codes = CodeDelivery(database, make_code_senders(settings, mailer))
    notices = NotificationMailer(
        database,
        mailer,
        public_url=settings.public_url,
        key=settings.code_key.get_secret_value(),
    )
    pusher = PushSender(make_push(settings, database), make_push_carrier())
    warner = LedgerWarner(database, mailer, public_url=settings.public_url)
    return [
        Handler(MAIL_CODE, codes.send_mail),
        Handler(TEXT_CODE, codes.send_text, codes.give_up_text),
        Handler(NOTIFY_BY_MAIL, notices.send),
        Handler(SEND_PUSH, pusher.send, pusher.give_up),
        Handler(WARN_OF_LEDGER, warner.send),
        Handler(SCORE_PREDICTIONS, PredictionScorer(database).settle),
    ]


def clock_jobs(database: Database, store: MediaStore, queue: JobQueue) -> list[Job]:
    """Return the scheduled jobs that need no sockets and run in one worker at a time."""
    return [
        expire_job(database),
        send_mails_job(database, queue),
        send_pushes_job(database, queue),
        reminders.remind_job(database),
        *today_jobs(database),
        renew_job(database),
        remind_job(database),
        reward_job(database),
        prove_job(database, queue),
        count_days_job(database),
        statistics_job(database),
        tidy_job(database),
        media_sweep_job(database, store, MEDIA_OWNERS),
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
