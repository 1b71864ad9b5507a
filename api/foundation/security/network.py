"""Networks of callers: the part of an address that a subscriber cannot change at will."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from uuid import UUID

SUBSCRIBER_BITS = 64  # the smallest network a provider assigns to a customer
SITE_BITS = 48  # the largest (RFC 6177)
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Sender:
    """A member who uploads something, and the network it comes from."""

    user_id: UUID
    network: str


def network_of(address: str | None) -> str:
    """Return the whole IPv4 address, or the /64 network of an IPv6 address, as text."""
    return _part_of(address, SUBSCRIBER_BITS)


def site_of(address: str | None) -> str:
    """Return the whole IPv4 address, or the /48 network of an IPv6 address, as text.

    It is the party of fair queues. Rate limits do not use it: too many people may share one.
    """
    return _part_of(address, SITE_BITS)


def _part_of(address: str | None, bits: int) -> str:
    try:
        found = ip_address(address or "")
    except ValueError:
        return UNKNOWN
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), bits), strict=False))


def is_among(address: str | None, networks: Sequence[str]) -> bool:
    """Return whether an address is in one of ``networks`` (addresses or CIDR)."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found in ip_network(network) for network in networks)
