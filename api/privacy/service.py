"""Exports and erases a member's personal data."""

from dataclasses import dataclass

from api.auth import service as auth
from api.auth.service import AuthContext
from api.chat import service as chat
from api.core import clock
from api.core.money import Kobo, naira_from_kobo
from api.database.database import Database
from api.media.storage import MediaStore, media_url
from api.media.sweeping import discard
from api.moments import service as moments
from api.operators import service as operators
from api.privacy import repository
from api.privacy.enums import ErasurePolicy
from api.privacy.errors import BalanceLeftError
from api.privacy.rules import PERSONAL_TABLES
from api.privacy.schemas import EraseInput, ExportAnswer
from api.refunds import service as refunds
from api.security.members import Member
from api.shop import service as shop
from api.users import service as users
from api.users.service import ProfileContext
from api.wallet import service as wallet


@dataclass(frozen=True)
class PrivacyContext:
    """The dependencies of privacy, created once per process."""

    database: Database
    store: MediaStore
    auth: AuthContext
    profiles: ProfileContext


async def export(context: PrivacyContext, member: Member) -> ExportAnswer:
    """Return all data held about a member, with sealed details opened and without secrets."""
    records = {
        table.name: await repository.list_rows(context.database, table, member.user_id)
        for table in PERSONAL_TABLES
    }
    profile = await users.profile(context.profiles, member.user_id)
    media = [] if profile.avatar is None else [profile.avatar]
    for moment in records["moment"]:
        media += [media_url(moment["thumbnail_key"]), media_url(moment["video_key"])]
    return ExportAnswer(exported_at=clock.now(), profile=profile, media=media, records=records)


async def erase(context: PrivacyContext, member: Member, form: EraseInput) -> None:
    """Erase a member's personal data; records needed for the books are kept.

    All in one transaction; stored files are removed afterwards, by the sweep at the latest.

    Raises:
        WrongPasswordError: the password is not the member's.
        TooManyRequestsError: too many wrong passwords.
        LastOwnerError: the member is the last owner.
        BalanceLeftError: the wallet holds money that was not waived.
    """
    await auth.check_password(context.auth, member, form.password)
    async with context.database.transaction() as tx:
        # Lock the record first: this waits for a payment that is being credited and counts it; a
        # later payment finds the account deleted and is set aside.
        await users.lock(tx, member.user_id)
        await operators.leave(tx, member.user_id, clock.now())
        # Orders without an address cannot be shipped: what was paid for them belongs to the member.
        balance = await wallet.lock_balance(tx, member.user_id)
        coming = sum(
            [
                await shop.owed(tx, member.user_id),
                await refunds.owed(tx, member.user_id),
                await wallet.surplus(tx, member.user_id),
            ]
        )
        balance = Kobo(max(0, balance + coming - await wallet.debt(tx, member.user_id)))
        if balance > 0 and not form.forfeit_balance:
            raise BalanceLeftError(content={"balance": naira_from_kobo(balance)})
        await shop.cancel_all(tx, member.user_id, clock.now())
        keys = await moments.erase(tx, member.user_id)
        keys += await shop.erase_proofs(tx, member.user_id)
        await chat.announce_leaving(tx, member.user_id)  # before the tables are cleared
        for table in PERSONAL_TABLES:
            if table.policy is ErasurePolicy.DELETED:
                await repository.delete_rows(tx, table, member.user_id)
            elif table.policy is ErasurePolicy.CLEARED:
                await repository.change_cleared(tx, table, member.user_id)
        # Last, because the e-mail in the record identifies the member's sign-ups.
        keys += await users.erase(tx, member.user_id)
        await auth.revoke_all(tx, member.user_id)
    await discard(context.store, keys)
