"""Imports every table, for Alembic and the tests."""

from sqlalchemy import MetaData

from api.backoffice.analytics import models as analytics_models
from api.backoffice.notes import models as notes_models
from api.backoffice.refunds import models as refunds_models
from api.community.chat import models as chat_models
from api.community.moments import models as moments_models
from api.community.news import models as news_models
from api.foundation.approvals import models as approvals_models
from api.foundation.audit import models as audit_models
from api.foundation.database import (
    challenges,
    idempotency,
    rate_limit,
    readiness,
    sign_in_guard,
)
from api.foundation.database.tables import Base
from api.foundation.jobs import models as jobs_models
from api.foundation.office_settings import models as office_settings_models
from api.games.achievements import models as achievements_models
from api.games.battle import models as battle_models
from api.games.invites import models as invites_models
from api.games.matches import models as matches_models
from api.games.predictions import models as predictions_models
from api.games.questions import models as questions_models
from api.games.ranking import models as ranking_models
from api.games.trivia import models as trivia_models
from api.home.public import models as public_models
from api.home.today import models as home_models
from api.messaging.notifications import models as notifications_models
from api.messaging.push import models as push_models
from api.money.ledger_audit import models as ledger_audit_models
from api.money.payments import models as payments_models
from api.money.receipts import models as receipts_models
from api.money.subscriptions import models as subscriptions_models
from api.money.wallet import models as wallet_models
from api.people.auth import models as auth_models
from api.people.clubs import models as clubs_models
from api.people.legal import models as legal_models
from api.people.operators import models as operators_models
from api.people.users import models as users_models
from api.shop import models as shop_models

TABLE_MODULES = (
    achievements_models,
    analytics_models,
    notes_models,
    auth_models,
    battle_models,
    challenges,
    chat_models,
    clubs_models,
    idempotency,
    rate_limit,
    readiness,
    sign_in_guard,
    matches_models,
    invites_models,
    jobs_models,
    legal_models,
    moments_models,
    news_models,
    notifications_models,
    operators_models,
    approvals_models,
    audit_models,
    office_settings_models,
    payments_models,
    predictions_models,
    ledger_audit_models,
    push_models,
    questions_models,
    ranking_models,
    receipts_models,
    refunds_models,
    shop_models,
    subscriptions_models,
    public_models,
    home_models,
    trivia_models,
    users_models,
    wallet_models,
)


def metadata() -> MetaData:
    """Return the metadata of all imported models."""
    return Base.metadata
