"""Load classes of routes for admission: those that routers declare beside their routes."""

from api.backoffice.oversight import router as oversight_router
from api.community.moments import router as moments_router
from api.foundation.http.admission import Classes
from api.games.matches import router as matches_router
from api.money.payments import router as payments_router
from api.people.auth import router as auth_router
from api.people.users import router as users_router

SOCKET_PATH = "/socket.io"
ROUTERS = (
    payments_router,
    matches_router,
    auth_router,
    oversight_router,
    users_router,
    moments_router,
)
# Monitoring and sockets are never rejected here.
ALWAYS = ("/healthz", "/readyz", "/metrics", f"{SOCKET_PATH}/")
CLASSES = Classes(
    (
        *((path, None) for path in ALWAYS),
        *((path, found) for router in ROUTERS for path, found in router.LOAD_CLASSES.items()),
    )
)
