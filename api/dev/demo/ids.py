"""The ids of the demo's rows."""

from uuid import NAMESPACE_URL, UUID, uuid5


def demo_id(kind: str, slug: str) -> UUID:
    """Return the id that a demo row has in every database."""
    return uuid5(NAMESPACE_URL, f"king-of-fans:{kind}:{slug}")
