"""The lifespan of the application: background jobs, listeners, and an ordered shutdown."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace

from fastapi import FastAPI

from api.app.services import Services
from api.community.chat.live.presence import PRESENCE_CHANNEL
from api.community.chat.service.measures import BANNED_CHANNEL
from api.community.chat.service.moderation import HIDDEN_CHANNEL
from api.community.chat.service.reactions import REACTIONS_CHANNEL
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.supervisor import Job
from api.foundation.database.lanes import Priority
from api.foundation.database.listener import Listener
from api.foundation.http.admission import ADMISSION
from api.foundation.realtime.identity_watch import IDENTITY_CHANNEL
from api.foundation.realtime.valkey_watch import ValkeyWatch
from api.games.matches.service.changing import CHANNEL as FIXTURE_CHANNEL
from api.messaging.notifications.service import CHANNEL as NOTIFICATION_CHANNEL
from api.money.payments.service.sweeping import sweep_job


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, object]]:
    """Run the background jobs of the application's services.

    The yielded state is for the server (``api.foundation.server.deadlines``).
    """
    services: Services = app.state.services
    listener = _listener(services)
    # Start even if the database is unavailable right now: it may be recovering.
    with suppress(DatabaseUnavailableError):
        await services.safety.make()
    supervisor = services.supervisor
    jobs = (*_jobs(services), listener.job(), services.identity_watch.job())
    for job in (*jobs, *services.sockets.manager.jobs()):
        supervisor.add(job)
    async with AsyncExitStack() as stack:
        sandbox = services.sandbox
        if sandbox is not None:
            await stack.enter_async_context(sandbox.router.lifespan_context(sandbox))
        if services.settings.valkey_url is not None:
            watch = ValkeyWatch(services.settings.valkey_url, services.metrics)
            stack.push_async_callback(watch.close)
            supervisor.add(watch.job())
        supervisor.start()
        try:
            yield {ADMISSION: services.admission}
        finally:
            await _stop(services, listener)
    await services.database.close()
    services.security.sum_up()
    if services.process_metrics is not None:
        services.process_metrics.close()


def _listener(services: Services) -> Listener:
    watch, chat, notices = services.identity_watch, services.chat, services.notices
    matches = services.matches
    return Listener(
        services.database,
        {
            IDENTITY_CHANNEL: watch.on_announcement,
            PRESENCE_CHANNEL: chat.presence.on_announcement,
            HIDDEN_CHANNEL: chat.on_hidden,
            BANNED_CHANNEL: chat.on_banned,
            REACTIONS_CHANNEL: chat.reactions.on_announcement,
            NOTIFICATION_CHANNEL: notices.on_announcement,
            FIXTURE_CHANNEL: matches.on_announcement,
        },
        services.metrics,
        on_up=lambda: _call(
            watch.start, chat.start_listening, notices.recheck, matches.start_listening
        ),
        on_down=lambda: _call(watch.stop, chat.stop_listening, matches.stop_listening),
    )


def _call(*functions: Callable[[], None]) -> None:
    for function in functions:
        function()


def _jobs(services: Services) -> list[Job]:
    """Return this process's jobs besides listening.

    Each needs the process's sockets or memory, or serves them; all others belong to the worker.
    """
    database = services.database.lane(Priority.BACKGROUND)
    return [
        *services.folder.jobs(),
        sweep_job(replace(services.payments, database=database)),
        *services.battle.arena.jobs(),
        *services.chat.jobs(),
        services.notices.job(),
        services.matches.job(),
        services.activity.job(),
        services.safety.job(),
        services.security.job(),
        services.loop_watch.job(),
        *([services.process_metrics.job()] if services.process_metrics is not None else []),
    ]


async def _stop(services: Services, listener: Listener) -> None:
    """Stop jobs and listeners before what they depend on."""
    await services.supervisor.stop()
    await services.figures.close()
    await services.chat.presence.leave_all()
    await listener.close()
    await services.sockets.shutdown()
    await services.resets.settle()
    services.auth.hasher.close()
    services.images.close()
    await services.media_store.aclose()
    await services.payments.aclose()
