"""``python -m api.app.backup``: nightly backups and restore tests, in a separate process.

Only this process has the login that can read everything; the servers and workers never do.
"""

import asyncio
import signal
import sys
from pathlib import Path

from api.app.backup.nightly import NightlyBackup
from api.app.factories import make_database, make_media_store
from api.foundation.core.config import Settings
from api.foundation.core.logs import set_up_logs
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Supervisor
from api.foundation.jobs.heartbeat import beating
from api.foundation.server.process_settings import WRONG_SETTINGS, complain, read_settings

POOL_SIZE = 2


def main() -> int:
    """Run until SIGTERM or SIGINT and return the exit code."""
    settings = read_settings()
    if settings is None:
        return WRONG_SETTINGS
    if settings.backup_dir is None:
        complain(["BACKUP_DIR is not set: there is nowhere to write to."])
        return WRONG_SETTINGS
    set_up_logs(settings.log_level)
    asyncio.run(work(settings, settings.backup_dir))
    return 0


async def work(settings: Settings, folder: Path) -> None:
    """Back up into ``folder`` until SIGTERM or SIGINT; an unfinished backup is removed."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    database = make_database(settings, POOL_SIZE)
    store = make_media_store(settings)
    supervisor = Supervisor(Metrics())
    for job in NightlyBackup(settings, folder, database, store).jobs():
        supervisor.add(job)
    supervisor.start()
    try:
        async with beating("backup"):
            await stopping.wait()
    finally:
        await supervisor.stop()
        await store.aclose()
        await database.close()


if __name__ == "__main__":
    sys.exit(main())
