"""Validators for addresses in the settings; each raises ``ValueError`` with a message."""

from email.utils import parseaddr
from ipaddress import ip_network
from urllib.parse import urlsplit

from pydantic import SecretStr
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

DATABASE_DRIVER = "postgresql+asyncpg"
VALKEY_SCHEMES = ("valkey", "valkeys", "redis", "rediss", "unix")


def require_networks(value: tuple[str, ...]) -> tuple[str, ...]:
    """Accept addresses and networks, except one that contains every address."""
    for part in value:
        try:
            network = ip_network(part)
        except ValueError:
            raise ValueError("must hold addresses or networks like 10.1.0.0/16") from None
        if network.prefixlen == 0:
            raise ValueError("must not hold a network of everybody")
    return value


def require_database(value: str | None) -> str | None:
    """Accept what PostgreSQL's own tools accept, and add the driver's name."""
    if value is None:
        return None
    scheme, _, rest = value.partition("://")
    named = f"{DATABASE_DRIVER}://{rest}"
    try:
        make_url(named)
    except (ArgumentError, ValueError):
        named = ""
    if not named or scheme not in {DATABASE_DRIVER, "postgresql", "postgres"}:
        raise ValueError("must be an address like postgresql+asyncpg://user@host/database")
    return named


def require_web_address(value: str | None) -> str | None:
    """Accept an HTTP or HTTPS address."""
    if value is not None and not is_address(value, "https", "http"):
        raise ValueError("must be an address like https://fans.example")
    return value


def require_valkey(value: str | None) -> str | None:
    """Accept an address of Valkey or Redis."""
    if value is not None and not is_address(value, *VALKEY_SCHEMES):
        raise ValueError("must be an address like valkey://host:6379/0")
    return value


def require_mail_server(value: SecretStr | None) -> SecretStr | None:
    """Accept an address of a mail server."""
    if value is not None and not is_address(value.get_secret_value(), "smtp", "smtps"):
        raise ValueError("must be an address like smtp://user:password@host:port")
    return value


def require_sender(value: str) -> str:
    """Accept a sender, with or without a display name."""
    name, _, host = parseaddr(value)[1].partition("@")
    if not name or not host:
        raise ValueError("must be an address like King of Fans <no-reply@host>")
    return value


def is_address(value: str, *schemes: str) -> bool:
    """Return whether a value is an address with one of the schemes and a host or a path."""
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        return False
    has_place = bool(url.path) if url.scheme == "unix" else bool(url.hostname)
    return url.scheme in schemes and has_place and port != 0
