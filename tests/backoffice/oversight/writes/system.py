"""Writes of the machinery: jobs, mails, backups."""

import asyncio

from api.foundation.jobs.figures import record_beat
from api.foundation.jobs.requests import read_asked, record_done
from api.foundation.jobs.runs import BACKUP

from tests.backoffice.oversight.writes import Sent, Stage, example
from tests.backoffice.system.test_mails import give_up, store_code


@example("POST jobs/{name}/run")
async def run_job(_stage: Stage) -> Sent:
    return Sent({"name": "expire-orders"})


@example("POST mails/{mail_id}/retry")
async def retry_mail(stage: Stage) -> Sent:
    mail = await store_code(stage.app)
    await give_up(stage.app, mail)
    return Sent({"mail_id": mail})


@example("POST backups")
async def back_up(stage: Stage) -> Sent:
    await record_beat(stage.app.database, [BACKUP])

    async def answer() -> None:
        for _ in range(100):
            asked_at = await read_asked(stage.app.database, BACKUP)
            if asked_at is not None:
                await record_done(stage.app.database, BACKUP, asked_at)
            await asyncio.sleep(0.05)

    stage.background.append(asyncio.create_task(answer()))
    return Sent()
