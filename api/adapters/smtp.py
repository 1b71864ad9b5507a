"""Mail over SMTP: handed over in the background, tried a few times."""

import asyncio
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog
from typing_extensions import override

from api.adapters.outbox import compose
from api.core.mail import Email, Mailer

log = structlog.get_logger(__name__)

TIMEOUT_SECONDS = 10
PAUSES_SECONDS = (0.0, 2.0, 10.0, 60.0)
THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
DEFAULT_PORTS = {"smtp": 587, "smtps": 465}


class SmtpMailer(Mailer):
    """Sends through the server of an ``smtp://`` or ``smtps://user:password@host:port`` URL.

    ``smtp`` upgrades with STARTTLS where the server offers it; with ``requires_tls`` nothing is
    said to a server elsewhere that does not. An email that no try could hand over is logged and
    lost; its person asks for another code.
    """

    def __init__(self, url: str, *, sender: str, requires_tls: bool = False) -> None:
        parts = urlsplit(url)
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
            raise ValueError("SMTP_URL must look like smtp://user:password@host:port")
        self._host = parts.hostname
        self._port = parts.port or DEFAULT_PORTS[parts.scheme]
        self._tls = parts.scheme == "smtps"
        must_upgrade = requires_tls and not self._tls and self._host not in THIS_MACHINE
        self._start_tls = True if must_upgrade else None
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        self._sender = sender
        self._sending: set[asyncio.Task[None]] = set()

    @override
    async def send(self, email: Email) -> None:
        """Start handing ``email`` over, and return at once."""
        task = asyncio.create_task(self._deliver(compose(email, self._sender)))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def drain(self, seconds: float) -> None:
        """Wait for emails on their way, at most ``seconds``."""
        if self._sending:
            await asyncio.wait(self._sending, timeout=seconds)

    async def _deliver(self, message: EmailMessage) -> None:
        for pause in PAUSES_SECONDS:
            await asyncio.sleep(pause)
            try:
                await aiosmtplib.send(
                    message,
                    hostname=self._host,
                    port=self._port,
                    use_tls=self._tls,
                    start_tls=self._start_tls,
                    username=self._user,
                    password=self._password,
                    timeout=TIMEOUT_SECONDS,
                )
            except (aiosmtplib.SMTPException, OSError) as error:
                log.warning("mail was not taken", error_type=type(error).__name__)
            else:
                return
        log.error("mail was given up")
