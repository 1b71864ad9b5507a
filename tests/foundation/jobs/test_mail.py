"""Mails with codes, through a real mail server that rejects them temporarily or permanently."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from api.app.adapters.smtp import SmtpMailer
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.jobs.figures import ListedJob, StoredJobFigures, list_jobs
from api.foundation.jobs.kinds import Handler
from api.foundation.jobs.working import Worker
from api.foundation.metrics.snapshots import render
from api.people.auth.enums import CodeChannel, CodePurpose
from api.people.auth.jobs import MAIL_CODE, CodeMail
from api.people.auth.live import CodeDelivery, CodeMailer

from tests.foundation.jobs.conftest import Bench
from tests.mail_server import BUSY, CUT_OFF, MailServer, running
from tests.waiting import until


@asynccontextmanager
async def mailing(bench: Bench, server: MailServer, port: int) -> AsyncIterator[None]:
    """Run a worker that sends mails through ``server``."""
    with running(server, port) as url:
        sender = CodeMailer(SmtpMailer(url, sender="no-reply@fans.example"))
        codes = CodeDelivery(bench.database, {CodeChannel.EMAIL: sender})
        worker = Worker(bench.database, bench.queue, [Handler(MAIL_CODE, codes.send_mail)])
        async with bench.working(worker):
            yield


async def store_mail(bench: Bench, to: str) -> None:
    mail = CodeMail(
        subject_id=new_id(),
        email=to,
        first_name="Ada",
        purpose=CodePurpose.ACTIVATION,
        code="042137",
        expires_at=clock.now() + timedelta(minutes=10),
    )
    async with bench.database.transaction() as tx:
        await bench.queue.enqueue(tx, MAIL_CODE, mail, key=to)


@pytest.mark.parametrize("answer", [BUSY, CUT_OFF])
async def test_a_mail_that_is_turned_away_twice_arrives_once_with_the_third_try(
    bench: Bench, unused_tcp_port: int, answer: str
) -> None:
    server, seen = MailServer(answers=[answer, answer]), dict[int, ListedJob]()

    async def is_empty() -> bool:
        listed = await list_jobs(bench.database, 10)
        seen.update({job.tries: job for job in listed if job.state == "waiting"})
        return not listed

    await store_mail(bench, "ada@example.com")
    async with mailing(bench, server, unused_tcp_port):
        await until(is_empty)

    assert [letter["To"] for letter in server.taken] == ["ada@example.com"]
    assert server.coming == ["ada@example.com"] * 3
    assert {1, 2} <= seen.keys()
    assert (seen[2].error or "").startswith("UnavailableError")


async def test_a_mail_that_is_refused_for_good_is_a_dead_letter_at_once_and_holds_nobody_up(
    bench: Bench, unused_tcp_port: int
) -> None:
    server = MailServer(unknown=frozenset({"nobody@example.com"}))

    async def is_dead() -> bool:
        return await bench.states() == ["failed"]

    await store_mail(bench, "nobody@example.com")
    await store_mail(bench, "ada@example.com")
    async with mailing(bench, server, unused_tcp_port):
        await until(is_dead)

    assert [letter["To"] for letter in server.taken] == ["ada@example.com"]
    assert sorted(server.coming) == ["ada@example.com", "nobody@example.com"]
    (dead,) = await list_jobs(bench.database, 10)
    assert (dead.kind, dead.tries) == (MAIL_CODE.name, 1)
    await StoredJobFigures(bench.database, bench.metrics).refresh()
    shown = render(bench.metrics).decode().splitlines()
    assert 'stored_jobs{kind="mail_code",state="failed"} 1.0' in shown
