"""The routers of all domains, and what they declare beside their routes.

A router may have ``LOAD_CLASSES`` for admission and ``BODY_LIMITS`` for what it accepts, by path.
"""

from types import ModuleType

from api.backoffice.analytics import router as analytics_router
from api.backoffice.members import router as members_router
from api.backoffice.notes import router as notes_router
from api.backoffice.oversight import router as operators_router
from api.backoffice.refunds import router as refunds_router
from api.backoffice.system import router as system_router
from api.community.chat import router as chat_router
from api.community.moments import router as moments_router
from api.community.news import router as news_router
from api.foundation.client_errors import router as client_errors_router
from api.foundation.http.admission import Classes
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.refusals import SENTENCES
from api.games.achievements import router as achievements_router
from api.games.battle import router as battle_router
from api.games.invites import router as invites_router
from api.games.matches import router as matches_router
from api.games.predictions import router as predictions_router
from api.games.questions import router as questions_router
from api.games.ranking import router as ranking_router
from api.games.trivia import router as trivia_router
from api.home.privacy import router as privacy_router
from api.home.public import router as public_router
from api.home.today import router as home_router
from api.messaging.notifications import router as notifications_router
from api.messaging.push import router as push_router
from api.money.ledger_audit import router as ledger_audit_router
from api.money.payments import router as payments_router
from api.money.receipts import router as receipts_router
from api.money.subscriptions import router as subscriptions_router
from api.money.wallet import router as wallet_router
from api.people.auth import router as auth_router
from api.people.clubs import router as clubs_router
from api.people.legal import router as legal_router
from api.people.users import router as users_router
from api.shop import router as shop_router

SOCKET_PATH = "/socket.io"
# Monitoring and sockets are never rejected by admission.
ALWAYS = ("/healthz", "/readyz", "/metrics", f"{SOCKET_PATH}/")
# The routes that phones call most come first: checking a route costs two microseconds.
ROUTERS: tuple[ModuleType, ...] = (
    home_router,
    shop_router,
    refunds_router,
    receipts_router,
    wallet_router,
    payments_router,
    ranking_router,
    battle_router,
    achievements_router,
    subscriptions_router,
    trivia_router,
    chat_router,
    notifications_router,
    push_router,
    users_router,
    moments_router,
    privacy_router,
    auth_router,
    clubs_router,
    legal_router,
    client_errors_router,
    operators_router,
    ledger_audit_router,
    members_router,
    notes_router,
    system_router,
    analytics_router,
    questions_router,
    news_router,
    matches_router,
    predictions_router,
    invites_router,
    public_router,
)
CLASSES = Classes(
    (
        *((path, None) for path in ALWAYS),
        *(
            declared
            for router in ROUTERS
            for declared in getattr(router, "LOAD_CLASSES", {}).items()
        ),
    )
)
BODY_LIMITS: dict[str, BodyLimit] = {
    # The engine limits the size of what it reads, and closes the session of a client that exceeds
    # it.
    f"{SOCKET_PATH}/": BodyLimit(2**63, SENTENCES[413]),
    **{
        path: limit
        for router in ROUTERS
        for path, limit in getattr(router, "BODY_LIMITS", {}).items()
    },
}
