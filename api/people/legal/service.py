"""Operations of legal texts: the publisher's pages, and members' acceptances."""

from dataclasses import dataclass
from datetime import date, datetime
from html import escape
from string import Template
from uuid import UUID

from api.foundation.core.config import Settings
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.office_settings import service as office_settings
from api.foundation.office_settings.enums import NewTerms
from api.foundation.office_settings.schemas import PublisherAnswer
from api.people.legal import repository, rules
from api.people.legal.enums import LegalPage
from api.people.legal.errors import OutdatedTermsError
from api.people.legal.schemas import LegalState

REGULATOR = "Nigeria Data Protection Commission (NDPC), ndpc.gov.ng"
# Until the back office or an opening file names the publisher; ``check`` reports it.
DEFAULT_PUBLISHER = PublisherAnswer(
    name="King of Fans",
    address="1 Stadium Road, Lagos, Nigeria",
    email="privacy@example.com",
    phone="+234 800 000 0000",
    regulator=None,
    effective=rules.CURRENT.published_on,
)


@dataclass(frozen=True)
class LegalText:
    """A page as it is shown; ``body`` is HTML, the other fields are text."""

    page: LegalPage
    title: str
    description: str
    publisher: str
    version: str
    effective_on: date
    body: str


async def read_text(database: Database, settings: Settings, page: LegalPage) -> LegalText:
    """Return a page, filled with the publisher's details."""
    publisher = (await office_settings.read_settings(database)).legal or DEFAULT_PUBLISHER
    names = sorted({gateway.settings for gateway in settings.gateways}, reverse=True)
    filled = {
        "name": publisher.name,
        "address": publisher.address,
        "email": publisher.email,
        "phone": publisher.phone,
        "phone_link": "".join(char for char in publisher.phone if char.isdigit() or char == "+"),
        "regulator": publisher.regulator or REGULATOR,
        "providers": " and ".join(PROVIDERS[name] for name in names),
    }
    body = Template(rules.text_of(page)).substitute(
        {name: escape(value) for name, value in filled.items()}
    )
    return LegalText(
        page,
        rules.TITLES[page],
        rules.DESCRIPTIONS[page],
        publisher.name,
        rules.CURRENT.name,
        max(publisher.effective, rules.CURRENT.published_on),
        body,
    )


PROVIDERS = {"paystack": "Paystack", "flw": "Flutterwave"}


async def read_state(database: Runner, user_id: UUID) -> LegalState:
    """Return what a member has accepted, and whether the current version must be accepted."""
    current = rules.CURRENT.name
    accepted = await repository.read_accepted(database, user_id, current)
    is_asked = False
    if accepted != current:
        is_asked = (await office_settings.read_settings(database)).new_terms is NewTerms.ASK
    return LegalState(accepted=accepted, current=current, must_accept=is_asked)


async def accept(database: Database, user_id: UUID, version: str, now: datetime) -> LegalState:
    """Record that a member accepts the current version; idempotent, the first time stays.

    Raises:
        OutdatedTermsError: ``version`` is not the current one.
        NotFoundError: the account is deleted.
    """
    if version != rules.CURRENT.name:
        raise OutdatedTermsError(content={"current": rules.CURRENT.name})
    async with database.transaction() as tx:
        if not await repository.hold_member(tx, user_id):
            raise NotFoundError
        await repository.insert_acceptance(tx, user_id, version, now)
    return await read_state(database, user_id)


async def record(tx: Transaction, user_id: UUID, version: str, accepted_at: datetime) -> None:
    """Record what was accepted with a sign-up, inside the caller's transaction."""
    await repository.insert_acceptance(tx, user_id, version, accepted_at)


def current_version() -> str:
    """Return the version that a sign-up accepts."""
    return rules.CURRENT.name


async def names_publisher(database: Database) -> bool:
    """Return whether the pages name their publisher, and not the default one."""
    return (await office_settings.read_settings(database)).legal is not None
