"""Configuration of the sandbox."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx

SANDBOX_KEY_PREFIX = "FLWSECK_TEST-SANDBOX"  # identifies a key that moves no real money


@dataclass(frozen=True, slots=True, kw_only=True)
class FlutterwaveSandboxConfig:
    """Configuration of one sandbox.

    Attributes:
        secret_key: Authorises the merchant's calls.
        webhook_hash: Sent with every webhook, and the key of its signature.
        public_url: Address of the sandbox as the browser sees it, without a trailing slash.
        webhook_url: Where ``charge.completed`` is delivered; None delivers nothing.
        webhook_delays_seconds: The delay before each delivery attempt; its length is their number.
        file: Where payments are stored; None stores them in memory.
        delivery_transport: Replaces the network for webhook deliveries.
    """

    secret_key: str = field(repr=False)
    webhook_hash: str = field(repr=False)
    public_url: str
    webhook_url: str | None = None
    webhook_delays_seconds: tuple[float, ...] = (0, 2, 10, 30, 60, 180)
    webhook_timeout_seconds: float = 30
    file: Path | None = None
    delivery_transport: httpx.AsyncBaseTransport | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse keys that could be real and addresses that no browser can open.

        Raises:
            ValueError: the key lacks the sandbox's prefix, the hash is empty, or ``public_url`` is
                not an http(s) address, or ends with a slash.
        """
        if not self.secret_key.startswith(SANDBOX_KEY_PREFIX):
            raise ValueError(f"the sandbox takes only keys with {SANDBOX_KEY_PREFIX}")
        address = urlsplit(self.public_url)
        if address.scheme not in {"http", "https"} or self.public_url.endswith("/"):
            raise ValueError("public_url must be an http(s) address without a slash at its end")
        if not self.webhook_hash:
            raise ValueError("the sandbox needs a webhook hash")
