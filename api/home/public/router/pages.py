"""Pages for visitors, their preview pictures, and what search engines and browsers look for."""

import gzip
from typing import Annotated
from xml.sax.saxutils import escape

from fastapi import APIRouter, Cookie, Depends, HTTPException, Query, Request, Response, status
from fastapi.responses import JSONResponse, PlainTextResponse

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.database.rate_limit import REFUSED_CALLS
from api.foundation.http.dependencies import (
    AddressDep,
    LimiterDep,
    SettingsDep,
    count_refusal,
    limit_lookups,
    provided,
)
from api.foundation.http.prebuilt import has_current, weak_etag
from api.foundation.http.refusals import MEDIA_POLICY
from api.foundation.http.strict_requests import StrictRoute
from api.home.public import heads
from api.home.public.enums import PageKind
from api.home.public.pages import PageWriter
from api.home.public.service.site import Site, home_picture

PREFIXES = ("/welcome", "/m/", "/n/", "/s/", "/c/", "/v/", "/i/", "/og/", "/sitemap.xml")
METHODS = ["GET", "HEAD"]
CACHED = "public, max-age=30, stale-while-revalidate=300"
PERSONAL = "private, max-age=30"  # differs by the cookie of the last visited club
VERSIONED = "public, max-age=31536000, immutable"
CURRENT = "public, max-age=60"
PERSONAL_KINDS = {PageKind.INVITE, PageKind.MOMENT}
DAILY = "public, max-age=86400"
SiteDep = Annotated[Site, Depends(provided(Site))]
WriterDep = Annotated[PageWriter, Depends(provided(PageWriter))]

router = APIRouter(route_class=StrictRoute)


def _page(path: str, kind: PageKind) -> None:
    async def show(request: Request, site: SiteDep, writer: WriterDep, name: str) -> Response:
        return await _show(request, site, writer, kind, name)

    router.add_api_route(path, show, methods=METHODS, include_in_schema=False, name=f"{kind}_page")


@router.api_route("/welcome", methods=METHODS, include_in_schema=False)
async def show_welcome(
    request: Request,
    site: SiteDep,
    writer: WriterDep,
    club: Annotated[str | None, Query()] = None,
    visited: Annotated[str | None, Cookie(alias="club")] = None,
) -> Response:
    """Show the public home page of a club: asked for, else last visited, else the next to play."""
    for name in (club, visited):
        if name and parse_id(name) is not None:
            response = await _show(request, site, writer, PageKind.HOME, name)
            if response.status_code != status.HTTP_404_NOT_FOUND:
                break
    else:
        response = await _show(request, site, writer, PageKind.HOME, "")
    response.headers["Cache-Control"] = PERSONAL
    response.headers["Vary"] = "Accept-Encoding, Cookie"
    return response


@router.api_route(
    "/i/{name}", methods=METHODS, include_in_schema=False, dependencies=[Depends(limit_lookups)]
)
async def show_invite(
    request: Request,
    site: SiteDep,
    writer: WriterDep,
    limiter: LimiterDep,
    address: AddressDep,
    name: str,
) -> Response:
    """Show the page of an invite link: a preview for messengers, and a way to the sign-up."""
    response = await _show(request, site, writer, PageKind.INVITE, name)
    if response.status_code == status.HTTP_404_NOT_FOUND:
        await count_refusal(limiter, REFUSED_CALLS, address)
    response.headers["Cache-Control"] = "private, no-store"
    return response


for prefix, page_kind in (
    ("m", PageKind.MATCH),
    ("n", PageKind.ARTICLE),
    ("s", PageKind.PRODUCT),
    ("c", PageKind.CLUB),
    ("v", PageKind.MOMENT),
):
    _page(f"/{prefix}/{{name}}", page_kind)


@router.api_route(
    "/og/invite/{name}.jpg",
    methods=METHODS,
    include_in_schema=False,
    dependencies=[Depends(limit_lookups)],
)
async def show_invite_picture(
    site: SiteDep, name: str, v: Annotated[str, Query()] = ""
) -> Response:
    """Serve the preview picture of an invite; wrong codes count."""
    return await _picture(site, PageKind.INVITE, name, v)


@router.api_route("/og/{kind}/{name}.jpg", methods=METHODS, include_in_schema=False)
async def show_picture(
    site: SiteDep, kind: PageKind, name: str, v: Annotated[str, Query()] = ""
) -> Response:
    """Serve a preview picture: an outdated address gets the current one."""
    return await _picture(site, kind, name, v)


async def _picture(site: Site, kind: PageKind, name: str, version: str) -> Response:
    page = await site.find(kind, name, clock.now())
    address = page.head.image
    content = await site.pictures.picture(address, await page.card())
    # What shows a member can be taken back: it is not stored for long.
    is_current = address.endswith(f"?v={version}") and kind not in PERSONAL_KINDS
    headers = {
        "Cache-Control": VERSIONED if is_current else CURRENT,
        "Content-Security-Policy": MEDIA_POLICY,
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return Response(content, media_type="image/jpeg", headers=headers)


@router.api_route("/robots.txt", methods=METHODS, include_in_schema=False)
async def show_robots(writer: WriterDep) -> Response:
    """Tell search engines what to skip, and where the list of pages is."""
    lines = (
        "User-agent: *",
        "Disallow: /api/",
        "Disallow: /admin",
        "Disallow: /i/",
        f"Sitemap: {writer.public_url}/sitemap.xml",
    )
    return PlainTextResponse("\n".join(lines) + "\n", headers={"Cache-Control": DAILY})


@router.api_route("/sitemap.xml", methods=METHODS, include_in_schema=False)
async def show_sitemap(site: SiteDep, writer: WriterDep) -> Response:
    """List the public pages. Source: the sitemap protocol 0.9."""
    entries = await site.list_pages(clock.now())
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        f"<url><loc>{escape(writer.public_url)}/welcome</loc></url>",
    ]
    for entry in entries:
        day = "" if entry.changed_at is None else f"<lastmod>{entry.changed_at:%Y-%m-%d}</lastmod>"
        lines.append(f"<url><loc>{escape(writer.public_url + entry.path)}</loc>{day}</url>")
    lines.append("</urlset>\n")
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response("\n".join(lines), media_type="application/xml", headers=headers)


@router.api_route("/.well-known/assetlinks.json", methods=METHODS, include_in_schema=False)
async def show_asset_links(settings: SettingsDep) -> Response:
    """Name the Android app that may open our links; 404 without one in the settings."""
    if settings.android_app is None:
        raise HTTPException(404)
    package, _, fingerprint = settings.android_app.partition(":")
    statement = {
        "relation": ["delegate_permission/common.handle_all_urls"],
        "target": {
            "namespace": "android_app",
            "package_name": package,
            "sha256_cert_fingerprints": [fingerprint],
        },
    }
    return JSONResponse([statement], headers={"Cache-Control": DAILY})


async def _show(
    request: Request, site: Site, writer: PageWriter, kind: PageKind, name: str
) -> Response:
    now = clock.now()
    try:
        found = await site.find(kind, name, now)
    except NotFoundError:
        head = heads.not_found(request.url.path, home_picture())
        body = writer.page("missing.html", head, now, {})
        return _respond(request, writer, body, status.HTTP_404_NOT_FOUND)
    response = _respond(request, writer, writer.page(found.template, found.head, now, found.values))
    if kind in PERSONAL_KINDS:
        response.headers["Cache-Control"] = CURRENT  # like its picture
    return response


def _respond(request: Request, writer: PageWriter, body: str, status_code: int = 200) -> Response:
    content = body.encode()
    headers = {
        "Cache-Control": CACHED if status_code == status.HTTP_200_OK else "no-store",
        "Content-Security-Policy": writer.policy,
        "Content-Type": "text/html; charset=utf-8",
        "Vary": "Accept-Encoding",
        "ETag": weak_etag(content),
    }
    if has_current(request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        content = gzip.compress(content, compresslevel=6, mtime=0)
    return Response(content, status_code=status_code, headers=headers)
