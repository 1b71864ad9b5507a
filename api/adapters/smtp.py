"""Mail over SMTP."""

from urllib.parse import unquote, urlsplit

import aiosmtplib
from typing_extensions import override

from api.adapters.outbox import compose
from api.core.errors import UnavailableError
from api.jobs.mail import Email, Mailer, MailRefusedError

TIMEOUT_SECONDS = 10
THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
LOWEST_FINAL_CODE = 500
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
            UnavailableError: it was not taken this time.
            MailRefusedError: it, its sender or its receiver was refused for good.
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
    """Say whether the server's answer to this email was 5xx (RFC 5321, 4.2.1).

    To the connection or the sign-in it is about the server or the settings, which may heal.
    """
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(is_final(refusal) for refusal in error.recipients)
    about_email = (
        aiosmtplib.SMTPSenderRefused,
        aiosmtplib.SMTPRecipientRefused,
        aiosmtplib.SMTPDataError,
    )
    return isinstance(error, about_email) and error.code >= LOWEST_FINAL_CODE
