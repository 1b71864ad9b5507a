"""Mail over SMTP."""

from urllib.parse import unquote, urlsplit

import aiosmtplib
from typing_extensions import override

from api.adapters.outbox import compose
from api.core.errors import UnavailableError
from api.core.mail import Email, Mailer

TIMEOUT_SECONDS = 10
THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
DEFAULT_PORTS = {"smtp": 587, "smtps": 465}


class SmtpMailer(Mailer):
    """Sends through the server of an ``smtp://`` or ``smtps://user:password@host:port`` URL.

    ``smtp`` upgrades with STARTTLS where the server offers it; with ``requires_tls`` nothing is
    said to a server elsewhere that does not.
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

    @override
    async def reach(self) -> None:
        """Connect, sign in and leave.

        Raises:
            UnavailableError: the server is away, or refuses us.
        """
        server = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            use_tls=self._tls,
            start_tls=self._start_tls,
            username=self._user,
            password=self._password,
            timeout=TIMEOUT_SECONDS,
        )
        try:
            async with server:
                await server.noop()
        except (aiosmtplib.SMTPException, OSError) as error:
            raise UnavailableError from error

    @override
    async def send(self, email: Email) -> None:
        """Hand ``email`` over to the mail server.

        Raises:
            UnavailableError: it was not taken.
        """
        try:
            await aiosmtplib.send(
                compose(email, self._sender),
                hostname=self._host,
                port=self._port,
                use_tls=self._tls,
                start_tls=self._start_tls,
                username=self._user,
                password=self._password,
                timeout=TIMEOUT_SECONDS,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            raise UnavailableError from error
