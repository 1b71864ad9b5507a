"""Exports and erases a member's personal data."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from api.community.chat.service import reactions
from api.community.moments.service import posting as moments_posting
from api.foundation.core import clock
from api.foundation.core.money import Kobo, naira_from_kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.media.storage import MediaStore, media_url
from api.foundation.media.sweeping import discard
from api.foundation.security.members import Member
from api.home.privacy import repository
from api.home.privacy.enums import ErasurePolicy
from api.home.privacy.errors import BalanceLeftError
from api.home.privacy.rules import PERSONAL_TABLES
from api.home.privacy.schemas import EraseInput, ExportAnswer
from api.money.wallet.service import ledger, reviews
from api.people.auth.service import passwords
from api.people.auth.service import sessions as auth_sessions
from api.people.auth.service.context import AuthContext
from api.people.operators.service import operators as operators_service
from api.people.users.service import account as users_account
from api.people.users.service import profile as users_profile
from api.people.users.service.profile import ProfileContext
from api.shop.service import cancelling, proofs

ReadOwed: TypeAlias = Callable[[Transaction, UUID], Awaitable[Kobo]]


@dataclass(frozen=True)
class PrivacyContext:
    """The dependencies of privacy, created once per process.

    ``refunds_owed`` returns the kobo that a member gets back of orders that the club cancelled.
    """

    database: Database
    store: MediaStore
    auth: AuthContext
    profiles: ProfileContext
    refunds_owed: ReadOwed


async def export(context: PrivacyContext, member: Member) -> ExportAnswer:
    """Return all data held about a member, with sealed details opened and without secrets."""
    records = {
        table.name: await repository.list_rows(context.database, table, member.user_id)
        for table in PERSONAL_TABLES
    }
    profile = await users_profile.profile(context.profiles, member.user_id)
    media = [] if profile.avatar is None else [profile.avatar]
    for moment in records["moment"]:
        media += [media_url(moment["thumbnail_key"]), media_url(moment["video_key"])]
    return ExportAnswer(exported_at=clock.now(), profile=profile, media=media, records=records)


async def erase(context: PrivacyContext, member: Member, form: EraseInput) -> None:
    """Erase a member's personal data; records needed for the books are kept.

    All in one transaction; stored files are removed afterwards, by the sweep at the latest.

    Raises:
        TooManyRequestsError: too many wrong passwords.
        BalanceLeftError: the wallet holds money that was not waived.
    """
    await passwords.check_password(context.auth, member, form.password)
    async with context.database.transaction() as tx:
        # Lock the record first: this waits for a payment that is being credited and counts it; a
        # later payment finds the account deleted and is set aside.
        await users_account.lock(tx, member.user_id)
        await operators_service.leave(tx, member.user_id, clock.now())
        # Orders without an address cannot be shipped: what was paid for them belongs to the member.
        balance = await ledger.lock_balance(tx, member.user_id)
        coming = sum(
            [
                await cancelling.owed(tx, member.user_id),
                await context.refunds_owed(tx, member.user_id),
                await reviews.surplus(tx, member.user_id),
            ]
        )
        balance = Kobo(max(0, balance + coming - await ledger.debt(tx, member.user_id)))
        if balance > 0 and not form.forfeit_balance:
            raise BalanceLeftError(content={"balance": naira_from_kobo(balance)})
        await cancelling.cancel_all(tx, member.user_id, clock.now())
        keys = await moments_posting.erase(tx, member.user_id)
        keys += await proofs.erase_proofs(tx, member.user_id)
        await reactions.announce_leaving(tx, member.user_id)  # before the tables are cleared
        for table in PERSONAL_TABLES:
            if table.policy is ErasurePolicy.DELETED:
                await repository.delete_rows(tx, table, member.user_id)
            elif table.policy is ErasurePolicy.CLEARED:
                await repository.change_cleared(tx, table, member.user_id)
        # Last, because the email in the record identifies the member's sign-ups.
        keys += await users_account.erase(tx, member.user_id)
        await auth_sessions.revoke_all(tx, member.user_id)
    await discard(context.store, keys)
