"""SQL of display names for the ids in proposals and audit entries."""

from collections.abc import Collection, Sequence
from uuid import UUID

from api.backoffice.oversight.schemas.approvals import Subject
from api.foundation.database.database import Database
from api.foundation.database.statements import Query

MEMBER = "u.first_name || ' ' || u.last_name"


# One branch per type of subject; ids are unique across all tables. $1: the ids, $2: the types whose
# names may be read.
LIST_SUBJECTS = Query(
    f"""
SELECT type, id, name FROM (
SELECT 'member' AS type, u.id, {MEMBER} AS name
  FROM user_account u WHERE u.id = ANY ($1::uuid[])
UNION ALL SELECT 'operator', o.id, {MEMBER}
  FROM operator o JOIN user_account u ON u.id = o.user_id WHERE o.id = ANY ($1)
UNION ALL SELECT 'review_case', r.id, {MEMBER}
  FROM review_case r JOIN user_account u ON u.id = r.user_id WHERE r.id = ANY ($1)
UNION ALL SELECT 'debt', d.id, {MEMBER}
  FROM debt d JOIN user_account u ON u.id = d.user_id WHERE d.id = ANY ($1)
UNION ALL SELECT 'chat_message', m.id, {MEMBER}
  FROM chat_message m JOIN user_account u ON u.id = m.user_id WHERE m.id = ANY ($1)
UNION ALL SELECT 'moment', m.id, m.title FROM moment m WHERE m.id = ANY ($1)
UNION ALL SELECT 'approval', a.id, a.kind FROM approval a WHERE a.id = ANY ($1)
UNION ALL SELECT 'order', o.id, o.number FROM shop_order o WHERE o.id = ANY ($1)
UNION ALL SELECT 'refund', r.id, r.bought FROM refund_case r WHERE r.id = ANY ($1)
UNION ALL SELECT 'product', p.id, p.name FROM product p WHERE p.id = ANY ($1)
UNION ALL SELECT 'product_variant', v.id, concat_ws(', ', p.name, v.size)
  FROM product_variant v JOIN product p ON p.id = v.product_id WHERE v.id = ANY ($1)
UNION ALL SELECT 'plan', p.id, p.plan FROM plan p WHERE p.id = ANY ($1)
UNION ALL SELECT 'subscription', s.id, p.plan
  FROM subscription s JOIN plan p ON p.id = s.plan_id WHERE s.id = ANY ($1)
UNION ALL SELECT 'club', c.id, c.name FROM club c WHERE c.id = ANY ($1)
UNION ALL SELECT 'season', s.id, s.name FROM season s WHERE s.id = ANY ($1)
UNION ALL SELECT 'fixture', f.id,
       (SELECT string_agg(coalesce(c.name, t.name), ' - ' ORDER BY t.id = f.away_id)
          FROM team t LEFT JOIN club c ON c.id = t.club_id WHERE t.id IN (f.home_id, f.away_id))
  FROM fixture f WHERE f.id = ANY ($1)
UNION ALL SELECT 'competition', c.id, concat_ws(' ', c.name, c.season)
  FROM competition c WHERE c.id = ANY ($1)
UNION ALL SELECT 'question', q.id, q.question FROM question q WHERE q.id = ANY ($1)
UNION ALL SELECT 'article', a.id, a.title FROM article a WHERE a.id = ANY ($1)
UNION ALL SELECT 'webhook', e.id, coalesce(e.reference, e.type)
  FROM payment_event e WHERE e.id = ANY ($1)
) AS named WHERE type = ANY ($2::text[])
""",  # noqa: S608 our own words
    Subject,
)


async def list_subjects(
    database: Database, ids: Sequence[UUID], types: Collection[str]
) -> Sequence[Subject]:
    return await database.fetch_rows(LIST_SUBJECTS, list(ids), list(types))
