"""Load classes of routes for admission, by path."""

from api.foundation.http.admission import Classes, LoadClass

SOCKET_PATH = "/socket.io"
API = "/api/v1"
CLASSES = Classes(
    (
        ("/healthz", None),
        ("/readyz", None),
        ("/metrics", None),
        (f"{SOCKET_PATH}/", None),
        (f"{API}/payment/webhook/", LoadClass.PROVIDER),
        (f"{API}/fixtures/feed/push", LoadClass.PROVIDER),
        (f"{API}/payment/verify-transaction/", LoadClass.PROVIDER),
        (f"{API}/payment/callback/", LoadClass.PROVIDER),
        (f"{API}/payment/prepare-wallet-funding", LoadClass.PROVIDER),
        (f"{API}/sign-in/", LoadClass.COSTLY),
        (f"{API}/admin/sign-in", LoadClass.COSTLY),
        (f"{API}/signup", LoadClass.COSTLY),
        (f"{API}/password/", LoadClass.COSTLY),
        (f"{API}/users/updatekyc", LoadClass.COSTLY),
        (f"{API}/moment/create", LoadClass.COSTLY),
    ),
)
