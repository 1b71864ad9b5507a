"""Imports every table, for Alembic and the tests."""

from sqlalchemy import MetaData

from api.achievements import models as achievements_models
from api.analytics import models as analytics_models
from api.auth import models as auth_models
from api.battle import models as battle_models
from api.chat import models as chat_models
from api.clubs import models as clubs_models
from api.database import idempotency, rate_limit, readiness, sign_in_guard
from api.database.tables import Base
from api.fixtures import models as fixtures_models
from api.invites import models as invites_models
from api.jobs import models as jobs_models
from api.moments import models as moments_models
from api.news import models as news_models
from api.notifications import models as notifications_models
from api.operators import models as operators_models
from api.payments import models as payments_models
from api.predictions import models as predictions_models
from api.proofs import models as proofs_models
from api.push import models as push_models
from api.questions import models as questions_models
from api.ranking import models as ranking_models
from api.receipts import models as receipts_models
from api.refunds import models as refunds_models
from api.shop import models as shop_models
from api.subscriptions import models as subscriptions_models
from api.today import models as today_models
from api.trivia import models as trivia_models
from api.users import models as users_models
from api.wallet import models as wallet_models

TABLE_MODULES = (
    achievements_models,
    analytics_models,
    auth_models,
    battle_models,
    chat_models,
    clubs_models,
    idempotency,
    rate_limit,
    readiness,
    sign_in_guard,
    fixtures_models,
    invites_models,
    jobs_models,
    moments_models,
    news_models,
    notifications_models,
    operators_models,
    payments_models,
    predictions_models,
    proofs_models,
    push_models,
    questions_models,
    ranking_models,
    receipts_models,
    refunds_models,
    shop_models,
    subscriptions_models,
    today_models,
    trivia_models,
    users_models,
    wallet_models,
)


def metadata() -> MetaData:
    """Return the metadata of all imported models."""
    return Base.metadata
