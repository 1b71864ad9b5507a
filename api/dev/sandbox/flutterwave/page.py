"""The hosted page: three plain forms, no script."""

from html import escape
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

from api.dev.sandbox.flutterwave.payments import HostedPayment

ASSETS = Path(__file__).parent / "assets"
STYLE_NAME = "hosted.css"
STYLE = ASSETS / STYLE_NAME


def render(payment: HostedPayment) -> str:
    """Return the page of a payment."""
    page = Template((ASSETS / "hosted.html").read_text(encoding="utf-8"))
    return page.substitute(
        amount=escape(f"{payment.currency} {payment.amount:,.2f}"),
        tx_ref=escape(payment.tx_ref),
        email=escape(payment.email),
        code=escape(payment.code),
    )


def policy(redirect_url: str) -> str:
    """Return the page's content policy; a form may lead only back to the merchant."""
    merchant = urlsplit(redirect_url)
    return (
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none';"
        f" form-action 'self' {merchant.scheme}://{merchant.netloc}"
    )
