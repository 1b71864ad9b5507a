"""Mail over SMTP."""

from urllib.parse import unquote, urlsplit

import aiosmtplib
from typing_extensions import override

from api.app.adapters.outbox import compose
from api.foundation.core.errors import UnavailableError
from api.foundation.jobs.mail import Email, Mailer, MailRefusedError

TIMEOUT_SECONDS = 10
THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
LOWEST_FINAL_CODE = 500
DEFAULT_PORTS = {"smtp": 587, "smtps": 465}


class SmtpMailer(Mailer):
    """Sends through the server of an ``smtp://`` or ``smtps://user:password@host:port`` URL.

    ``smtp`` upgrades with STARTTLS where the server offers it; with ``requires_tls`` a remote
    server that does not is sent nothing.
    """

    def __init__(self, url: str, *, sender: str, requires_tls: bool = False) -> None:
        server = urlsplit(url)
        if server.scheme not in DEFAULT_PORTS or not server.hostname:
            raise ValueError("SMTP_URL must look like smtp://user:password@host:port")
        self._host = server.hostname
        self._port = server.port or DEFAULT_PORTS[server.scheme]
        self._tls = server.scheme == "smtps"
        must_upgrade = requires_tls and not self._tls and self._host not in THIS_MACHINE
        self._start_tls = True if must_upgrade else None
        self._user = unquote(server.username) if server.username else None
        self._password = unquote(server.password) if server.password else None
        self._sender = sender

    @override
    async def reach(self) -> None:
        """Connect, sign in and disconnect.

        Raises:
            UnavailableError: the server is unavailable, or refuses us.
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
        """Send ``email`` through the mail server.

        Raises:
            UnavailableError: it was not accepted this time.
            MailRefusedError: it, its sender or its receiver was permanently refused.
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
            raise (MailRefusedError if is_final(error) else UnavailableError) from error


def is_final(error: Exception) -> bool:
    """Return whether the server's answer to this email was 5xx (RFC 5321, 4.2.1).

    A 5xx answer to the connection or the sign-in is about the server or the settings, and may pass.
    """
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(is_final(refusal) for refusal in error.recipients)
    about_email = (
        aiosmtplib.SMTPSenderRefused,
        aiosmtplib.SMTPRecipientRefused,
        aiosmtplib.SMTPDataError,
    )
    return isinstance(error, about_email) and error.code >= LOWEST_FINAL_CODE
