"""Configuration of a sandbox."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import httpx

from api.dev.sandbox.paystack.store import MemoryStore, TransactionStore

# Identifies a sandbox key; payments under a live one report livemode.
TEST_KEY_PREFIX, LIVE_KEY_PREFIX = "sk_test_sandbox_", "sk_live_sandbox_"


def utc_now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.fromtimestamp(time.time(), UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxConfig:
    """Configuration of one sandbox.

    Attributes:
        secret_key: Authorises the merchant's calls and signs the webhooks.
        public_url: Address of the sandbox as the browser sees it, without a trailing slash.
        webhook_url: Where ``charge.success`` is delivered; None delivers nothing.
        app_origins: Origins that may frame the checkout page and call its API, besides its own.
        merchant_name: Shown on the checkout page.
        webhook_delays_seconds: The delay before each delivery attempt; its length is their number.
        webhook_timeout_seconds: How long the receiver may take to answer.
        session_life: How long an access code can be paid with a card.
        store: Where transactions are stored.
        delivery_transport: Replaces the network for webhook deliveries.
        clock: The current time, aware.
    """

    secret_key: str = field(repr=False)
    public_url: str
    webhook_url: str | None = None
    app_origins: tuple[str, ...] = ()
    merchant_name: str = "Test Merchant"
    webhook_delays_seconds: tuple[float, ...] = (0, 2, 10, 30, 60, 180)
    webhook_timeout_seconds: float = 30
    session_life: timedelta = timedelta(minutes=30)
    store: TransactionStore = field(default_factory=MemoryStore)
    delivery_transport: httpx.AsyncBaseTransport | None = field(default=None, repr=False)
    clock: Callable[[], datetime] = utc_now

    def __post_init__(self) -> None:
        """Refuse keys that could be real and addresses that no browser can open.

        Raises:
            ValueError: The secret key lacks the sandbox's prefix, or ``public_url`` is not an
                http(s) address without query, or an origin holds more than scheme, host and port.
        """
        if not self.secret_key.startswith((TEST_KEY_PREFIX, LIVE_KEY_PREFIX)):
            msg = f"the sandbox takes only keys with {TEST_KEY_PREFIX} or {LIVE_KEY_PREFIX}"
            raise ValueError(msg)
        address = urlsplit(self.public_url)
        if address.scheme not in {"http", "https"} or not address.netloc or address.query:
            raise ValueError("public_url must be an http(s) address without a query")
        if self.public_url.endswith("/"):
            raise ValueError("public_url must not end with a slash")
        for origin in self.app_origins:
            url = urlsplit(origin)
            if origin != f"{url.scheme}://{url.netloc}" or not url.netloc:
                raise ValueError("an app origin is scheme, host and port, nothing more")

    @property
    def domain(self) -> str:
        """The provider's term for the mode: live or test."""
        return "live" if self.secret_key.startswith(LIVE_KEY_PREFIX) else "test"

    @property
    def public_key(self) -> str:
        """The key of the checkout's own calls, derived from the secret one."""
        digest = hashlib.sha256(self.secret_key.encode()).hexdigest()
        return f"pk_test_sandbox_{digest[:24]}"
