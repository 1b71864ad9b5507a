"""``python -m api.backup``: a backup every night and its proof, in a process of its own.

It alone has the login that reads everything; the servers and workers never do.
"""

import asyncio
import signal
import sys

from pydantic import ValidationError

from api.backup.nightly import Nights
from api.core.config import Settings
from api.core.config_errors import describe_refusal
from api.core.logs import set_up_logs
from api.core.metrics import Metrics
from api.core.supervisor import Supervisor
from api.database.database import Database
from api.jobs.heartbeat import beat
from api.parts import make_media_store

POOL_SIZE = 2
WRONG_SETTINGS = 2  # exit code


def main() -> int:
    """Work until SIGTERM or SIGINT and return the exit code."""
    try:
        settings = Settings()
    except ValidationError as error:
        return _refuse(describe_refusal(error))
    if settings.backup_dir is None:
        return _refuse(["BACKUP_DIR is not set: there is nowhere to write to."])
    set_up_logs(settings.log_level)
    asyncio.run(work(settings))
    return 0


def _refuse(sentences: list[str]) -> int:
    for sentence in sentences:
        print(f"king-of-fans: {sentence}", file=sys.stderr)  # noqa: T201 it has no log yet
    return WRONG_SETTINGS


async def work(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT; what is half written then is removed."""
    assert settings.backup_dir is not None  # noqa: S101 - looked at above
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    database = Database(
        settings.database_url,
        direct_url=settings.database_direct_url,
        runtime_role=settings.database_runtime_role,
        pool_size=POOL_SIZE,
    )
    store = make_media_store(settings)
    supervisor = Supervisor(Metrics())
    for job in Nights(settings, settings.backup_dir, database, store).jobs():
        supervisor.add(job)
    beating = asyncio.create_task(beat("backup"))
    supervisor.start()
    try:
        await stopping.wait()
    finally:
        await supervisor.stop()
        beating.cancel()
        await store.aclose()
        await database.close()


if __name__ == "__main__":
    sys.exit(main())
