from enum import StrEnum


class AgedKind(StrEnum):
    """The kind of row to backdate."""

    ORDER = "order"
    SUBSCRIPTION = "subscription"
    FUNDING = "funding"
    APPROVAL = "approval"
    MEMBER = "member"
    PROOF = "proof"
    FIXTURE = "fixture"
