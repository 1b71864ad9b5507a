from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.messaging.notifications.rules.messages import WITHOUT_MAIL, WITHOUT_PUSH


@dataclass(frozen=True)
class SwitchedOff:
    """The groups that a member has switched mail and push off for."""

    without_mail: Sequence[str]
    without_push: Sequence[str]


READ_SETTING = Query(
    "SELECT without_mail, without_push FROM notification_setting WHERE user_id = $1", SwitchedOff
)
# Groups that are not given keep their setting, or the default.
CHANGE_SETTING = Query(
    """
WITH wish AS (
  SELECT $2::text[] || $3::text[] AS mail, $3::text[] AS no_mail,
         $4::text[] || $5::text[] AS push, $5::text[] AS no_push
)
INSERT INTO notification_setting AS s (user_id, without_mail, without_push, changed_at)
SELECT $1, ARRAY(SELECT unnest($6::text[]) EXCEPT SELECT unnest(mail)) || no_mail,
       ARRAY(SELECT unnest($7::text[]) EXCEPT SELECT unnest(push)) || no_push, $8
  FROM wish
ON CONFLICT (user_id) DO UPDATE SET (without_mail, without_push, changed_at) = (
  SELECT ARRAY(SELECT unnest(s.without_mail) EXCEPT SELECT unnest(mail)) || no_mail,
         ARRAY(SELECT unnest(s.without_push) EXCEPT SELECT unnest(push)) || no_push, $8
    FROM wish)
RETURNING without_mail, without_push
""",
    SwitchedOff,
)

HOLD_MEMBER = "SELECT hold_member($1)"  # false: there is none, or the account is deleted
HAS_MEMBER = "SELECT EXISTS (SELECT FROM user_account WHERE id = $1 AND erased_at IS NULL)"


async def has_member(database: Database, user_id: UUID) -> bool:
    return bool(await database.fetch_value(HAS_MEMBER, user_id))


async def hold_member(tx: Transaction, user_id: UUID) -> bool:
    """Lock a member against account deletion until commit; return False if already deleted."""
    return bool(await tx.fetch_value(HOLD_MEMBER, user_id))


async def read_setting(database: Database, user_id: UUID) -> SwitchedOff:
    off = await database.fetch_row(READ_SETTING, user_id)
    return SwitchedOff(WITHOUT_MAIL, WITHOUT_PUSH) if off is None else off


async def change_setting(
    database: Runner,
    user_id: UUID,
    mail: Mapping[str, bool],
    push: Mapping[str, bool],
    now: datetime,
) -> SwitchedOff:
    """Switch mail and push of the given groups; return what is off afterwards."""
    row = await database.fetch_row(
        CHANGE_SETTING,
        user_id,
        *(
            [group for group, is_on in named.items() if is_on is wanted]
            for named in (mail, push)
            for wanted in (True, False)
        ),
        WITHOUT_MAIL,
        WITHOUT_PUSH,
        now,
    )
    if row is None:
        raise RuntimeError("An upsert returns its row")
    return row
