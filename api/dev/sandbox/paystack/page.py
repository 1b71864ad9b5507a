"""The hosted checkout page, framed by the merchant's page or standalone."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.wire import ProviderRefusal

ASSETS = Path(__file__).parent / "assets"
MEDIA_TYPES = {
    "checkout.css": "text/css",
    "checkout.js": "text/javascript",
    "logo.svg": "image/svg+xml",
}


def page_routes(config: SandboxConfig) -> list[Route]:
    """Return the routes of the page and its assets."""
    headers = {
        "Content-Security-Policy": _policy(config),
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }

    async def show_page(_request: Request) -> Response:
        return FileResponse(ASSETS / "checkout.html", media_type="text/html", headers=headers)

    async def send_asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in MEDIA_TYPES:
            raise ProviderRefusal("Not found", "not_found", 404)
        return FileResponse(
            ASSETS / name,
            media_type=MEDIA_TYPES[name],
            headers={"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"},
        )

    return [
        Route("/assets/{name}", send_asset),
        Route("/popup", show_page),
        Route("/{access_code}", show_page),
    ]


def _policy(config: SandboxConfig) -> str:
    """Return the page's content policy: nothing inline, framed only by the merchant's app."""
    ancestors = " ".join(("'self'", *config.app_origins))
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        " img-src 'self'; form-action 'none'; base-uri 'none';"
        f" frame-ancestors {ancestors}"
    )
