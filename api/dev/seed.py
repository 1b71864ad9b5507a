"""Demo data for a club: written once, into an empty database, never in production."""

import shutil
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, insert, select, update

from api.app.factories import make_media_store, make_sealer
from api.dev.demo import games
from api.dev.demo.clubs import CLUBS
from api.dev.demo.ids import demo_id
from api.dev.demo.people import PEOPLE, DemoPerson
from api.dev.demo.plans import PLANS
from api.dev.demo.products import DEFAULT_SIZE, FEES_KOBO, PRODUCTS
from api.dev.seed_chat import write_chat
from api.dev.seed_matches import write_matches
from api.dev.seed_moments import write_moments
from api.dev.seed_news import write_news
from api.dev.seed_predictions import write_predictions
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.foundation.security.passwords import HashingTurn, LaneName, PasswordHasher
from api.foundation.security.rights import Role
from api.games.achievements.enums import BadgeKey
from api.games.achievements.service import badges, streaks
from api.games.questions.service.importing import import_bank, shipped_bank
from api.games.ranking.enums import PointSource
from api.games.ranking.models import BattleRank, RankPromotion, Season
from api.games.ranking.repository.awards import Award
from api.games.ranking.service import boards
from api.money.subscriptions.models import Plan
from api.money.wallet.service import operator_credits
from api.people.auth.models import Credential
from api.people.clubs.models import Club
from api.people.legal import service as legal
from api.people.operators.service import phones
from api.people.users.models import User
from api.shop.models import DeliveryFee, Product, ProductVariant

DEMO_PASSWORD = "Terrace-2026"  # noqa: S105 public, printed at every start
DEMO_SIGN_INS = tuple(person.email for person in PEOPLE if person.signs_in)
HAS_MEMBER = "SELECT FROM user_account WHERE id = $1 AND erased_at IS NULL"


@dataclass(frozen=True)
class SeededOperator:
    """A demo operator and the sealed secret."""

    id: UUID
    totp_secret: bytes | None


KEEP_OPERATOR = Query(
    """
INSERT INTO operator (id, user_id, roles) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id RETURNING id, totp_secret
""",
    SeededOperator,
)


async def seed_empty_database(settings: Settings) -> bool:
    """Write the demo data if there is no club yet; return whether this is a demo database."""
    database = Database(settings.session_database_url, runtime_role="", pool_size=2)
    try:
        async with database.transaction() as tx:
            if await tx.fetch_value(select(func.count(Club.id))) == 0:
                await _write(tx, settings)
            await _set_up_operators(tx, settings)
            await _accept_terms(tx)
            statement = select(User.id).where(User.email == DEMO_SIGN_INS[0])
            return await tx.fetch_row(statement) is not None
    finally:
        await database.close()


async def _accept_terms(tx: Transaction) -> None:
    """Accept the current terms for the demo members, also after they have changed."""
    for person in PEOPLE:
        user_id = demo_id("user", person.slug)
        if await tx.fetch_row(HAS_MEMBER, user_id) is not None:
            await legal.record(tx, user_id, legal.current_version(), clock.now())


async def _write(tx: Transaction, settings: Settings) -> None:
    await tx.execute_many(
        insert(Club),
        [
            {
                "id": demo_id("club", club.slug),
                "name": club.name,
                "cc_name": club.competition,
                "colour_a": club.colours[0].upper(),
                "colour_b": club.colours[1].upper(),
            }
            for club in CLUBS
        ],
    )
    await _write_people(tx)
    await _write_products(tx, settings)
    await _write_plans(tx)
    await import_bank(tx, shipped_bank(), now=clock.now())
    await _write_season(tx)
    await _write_points(tx)
    await _write_streaks(tx)
    await write_chat(tx)
    await write_matches(tx)
    await write_predictions(tx)
    async with aclosing(make_media_store(settings)) as store:
        await write_news(tx, store)
        await write_moments(tx, store)


async def _write_people(tx: Transaction) -> None:
    hasher = PasswordHasher()
    try:
        password_hash = await hasher.hash(DEMO_PASSWORD, HashingTurn(LaneName.SIGN_UP, "seed"))
    finally:
        hasher.close()
    await tx.execute_many(insert(User), [_user_row(person) for person in PEOPLE])
    await tx.execute_many(
        insert(Credential),
        [
            {"user_id": demo_id("user", person.slug), "password_hash": password_hash}
            for person in PEOPLE
            if person.signs_in
        ],
    )
    for person in PEOPLE:
        if person.wallet_kobo:
            user_id, amount = demo_id("user", person.slug), Kobo(person.wallet_kobo)
            await operator_credits.import_credit(
                tx, user_id, amount, f"demo:{person.slug}", clock.now()
            )


async def _set_up_operators(tx: Transaction, settings: Settings) -> None:
    """Grant the demo operators all roles, and the configured TOTP secret unless they have one."""
    secret = settings.demo_operator_totp
    for person in PEOPLE:
        user_id = demo_id("user", person.slug)
        if not person.is_operator or await tx.fetch_row(HAS_MEMBER, user_id) is None:
            continue
        row = await tx.fetch_row(KEEP_OPERATOR, new_id(), user_id, list(Role))
        if row is not None and secret is not None and row.totp_secret is None:
            sealer = make_sealer(settings)
            await phones.set_secret(tx, sealer, row.id, secret.get_secret_value())


def _user_row(person: DemoPerson) -> dict[str, object]:
    return {
        "id": demo_id("user", person.slug),
        "club_id": demo_id("club", person.club),
        "first_name": person.first_name,
        "last_name": person.last_name,
        "email": person.email,
        "phone": person.phone,
        "terms_accepted_at": clock.now(),
        "activated_at": clock.now(),
    }


async def _write_products(tx: Transaction, settings: Settings) -> None:
    folder = settings.var_dir / "media" / "products"
    folder.mkdir(parents=True, exist_ok=True)
    for product in PRODUCTS:
        shutil.copyfile(product.picture, folder / product.picture.name)
    await tx.execute_many(
        insert(Product),
        [
            {
                "id": demo_id("product", product.slug),
                "name": product.name,
                "description": product.description,
                "price_kobo": product.price_kobo,
                "image": f"/media/products/{product.picture.name}",
                "thumbnail": f"/media/products/{product.picture.name}",
                "star": product.star,
                "position": position,
            }
            for position, product in enumerate(PRODUCTS)
        ],
    )
    await tx.execute_many(
        insert(ProductVariant),
        [
            {
                "id": demo_id("variant", f"{product.slug}-{size or ''}"),
                "product_id": demo_id("product", product.slug),
                "size": size,
                "is_default": size in {None, DEFAULT_SIZE},
                "position": position,
                "stock": stock,
            }
            for product in PRODUCTS
            for position, (size, stock) in enumerate(product.stock_by_size())
        ],
    )
    for state, fee_kobo in FEES_KOBO.items():
        await tx.execute(
            update(DeliveryFee).where(DeliveryFee.state == state).values(fee_kobo=fee_kobo)
        )


async def _write_plans(tx: Transaction) -> None:
    await tx.execute_many(
        insert(Plan),
        [
            {
                "id": demo_id("plan", plan.slug),
                "plan": plan.name,
                "amount_kobo": plan.amount_kobo,
                "duration": 1,
                "period": plan.period,
                "benefits": list(plan.benefits),
                "battle_zone": plan.battle_zone,
                "position": position,
            }
            for position, plan in enumerate(PLANS)
        ],
    )


async def _write_season(tx: Transaction) -> None:
    today = clock.now().astimezone(clock.LAGOS).replace(hour=0, minute=0, second=0, microsecond=0)
    starts_at = today - games.SEASON_BEGAN
    await tx.execute(
        insert(Season).values(
            id=demo_id("season", games.SEASON),
            name=games.SEASON,
            starts_at=starts_at,
            ends_at=starts_at + games.SEASON_LASTS,
            point_per_question=games.POINT_PER_QUESTION,
            question_time_limit=games.QUESTION_TIME_LIMIT,
            questions_per_day=games.QUESTIONS_PER_DAY,
        )
    )
    await tx.execute_many(
        insert(BattleRank),
        [
            {
                "season_id": demo_id("season", games.SEASON),
                "rank": rank,
                "threshold_point": threshold,
            }
            for rank, threshold in games.RANKS
        ],
    )


async def _write_points(tx: Transaction) -> None:
    clubs = {person.slug: person.club for person in PEOPLE}
    now = clock.now()
    for played in games.played_days():
        earned_at = now - timedelta(days=played.days_ago)
        club_id = demo_id("club", clubs[played.person])
        for _ in range(played.battle):
            points = games.POINT_PER_QUESTION
            await _award(tx, played, club_id, PointSource.BATTLE, points, 1, earned_at)
        if played.trivia:
            points = games.TRIVIA_POINTS * played.trivia
            await _award(tx, played, club_id, PointSource.TRIVIA, points, played.trivia, earned_at)
    # Days ago: badges old enough that no celebration is shown at the first sign-in.
    await tx.execute(update(RankPromotion).values(seen_at=now))


async def _write_streaks(tx: Transaction) -> None:
    now = clock.now()
    for person, days in games.STREAKS.items():
        user_id = demo_id("user", person)
        active = [clock.lagos_day(now) - timedelta(days=one) for one in range(1, days + 1)]
        await streaks.set_days(tx, user_id, active, None, now)
        earned = [(user_id, BadgeKey.FIRST_QUEST), (user_id, BadgeKey.FIRST_BATTLE)]
        await badges.earn(tx, earned, now - timedelta(days=days))


async def _award(
    tx: Transaction,
    played: games.DemoDay,
    club_id: UUID,
    source: PointSource,
    points: int,
    right: int,
    earned_at: datetime,
) -> None:
    is_trivia = source is PointSource.TRIVIA
    await boards.award(
        tx,
        Award(
            id=new_id(),
            user_id=demo_id("user", played.person),
            club_id=club_id,
            season_id=demo_id("season", games.SEASON),
            source=source,
            source_id=new_id(),
            question_id=None,
            points=points,
            answered=games.QUESTIONS_PER_DAY if is_trivia else 1,
            right=right,
            elapsed_ms=0 if is_trivia else 6000,
            detail={"right": right, "of": games.QUESTIONS_PER_DAY} if is_trivia else {},
            day=clock.lagos_day(earned_at),
            now=earned_at,
        ),
    )
