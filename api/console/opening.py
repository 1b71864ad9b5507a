"""``add-club`` and ``apply``: create what a club needs before its first member can sign up."""

import io
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from api.app.factories import make_media_store
from api.backoffice.oversight.service import settings as settings_service
from api.console.acts import audit_act, record_act
from api.console.opened import faults, open_database, read_toml
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import DomainError
from api.foundation.database.database import Database, Transaction
from api.foundation.media.pictures import Frame, renew_picture
from api.foundation.media.storage import MediaStore, new_key
from api.foundation.media.sweeping import discard
from api.foundation.office_settings.schemas import Publisher
from api.games.ranking.errors import SeasonRefusedError
from api.games.ranking.schemas import SeasonPlan
from api.games.ranking.service import seasons
from api.money.subscriptions.schemas import PlanOffer
from api.money.subscriptions.service import buying
from api.people.clubs.schemas import ClubPlan
from api.people.clubs.service import admin as clubs_admin
from api.shop.schemas.products import ProductOffer
from api.shop.service import products as shop_products
from api.shop.service.products import ProductPictures

FOLDER = "shop"
IMAGE, THUMBNAIL = Frame(1200), Frame(480)
LARGEST_PICTURE_BYTES = 10 * 1024 * 1024


class OpeningFile(BaseModel):
    """Clubs, a season with its ranks, plans and products; names identify existing ones.

    ``legal`` is who runs the app, unless that is set already.
    """

    model_config = ConfigDict(extra="forbid")

    legal: Publisher | None = None
    clubs: Annotated[list[ClubPlan], Field(max_length=1000)] = []
    season: SeasonPlan | None = None
    plans: Annotated[list[PlanOffer], Field(max_length=100)] = []
    products: Annotated[list[ProductOffer], Field(max_length=500)] = []

    @model_validator(mode="after")
    def _check(self) -> Self:
        for what, names in (
            ("clubs", [club.name.casefold() for club in self.clubs]),
            ("plans", [plan.name for plan in self.plans]),
            ("products", [product.name for product in self.products]),
        ):
            if len(set(names)) != len(names):
                raise ValueError(f"two {what} have the same name")
        return self


@dataclass(frozen=True)
class RenewedPicture:
    """A product's picture in the shop's two sizes, as WebP."""

    image: bytes
    thumbnail: bytes


@dataclass
class OpeningReport:
    """The names that were added, by kind, and the number of existing ones."""

    added: dict[str, list[str]]
    stood: int = 0

    def record(self, kind: str, name: str, *, is_new: bool) -> None:
        """Record one item of the file."""
        if is_new:
            self.added.setdefault(kind, []).append(name)
        else:
            self.stood += 1


async def add_club(settings: Settings, options: Namespace) -> bool:
    """Add a club; print the error on failure."""
    given = {"name": options.name, "competition": options.competition}
    if options.colours:
        given["colours"] = options.colours
    try:
        plan = ClubPlan.model_validate(given)
    except ValidationError as error:
        for name, sentence in faults(error).items():
            print(f"{name}: {sentence}")
        return False
    async with open_database(settings) as database, database.transaction() as tx:
        is_new = await clubs_admin.add_club(tx, plan)
        if is_new:
            await audit_act(tx, "add_club", "club", plan.name)
    if not is_new:
        print(f"There is a club named {plan.name} already.")
        return False
    record_act("add_club", club=plan.name)
    print(f"{plan.name}: added.")
    return True


async def apply(settings: Settings, options: Namespace) -> bool:
    """Add items of the file that the database lacks; change none that exist.

    Raises:
        OSError: the file or a picture cannot be read.
    """
    opening = read_toml(options.path, OpeningFile, whole="the file")
    if opening is None:
        return False
    store = make_media_store(settings)
    try:
        async with open_database(settings) as database:
            report = await _apply(database, store, opening, options)
    except SeasonRefusedError as refusal:
        print(f"{options.path}: season: {refusal.sentence} Nothing was written.")
        return False
    finally:
        await store.aclose()
    if report is None:
        return False
    for kind, names in report.added.items():
        for name in names:
            print(f"{kind} {name}: {'would be added' if options.dry_run else 'added'}")
    added = sum(map(len, report.added.values()))
    print(f"{added} added, {report.stood} stood already and {_are(report.stood)} as before.")
    if options.dry_run:
        print("This was a dry run. Nothing was written.")
    elif added:
        record_act("apply", **{kind: len(names) for kind, names in report.added.items()})
    return True


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def read_pictures(
    products: Sequence[ProductOffer], folder: Path
) -> Mapping[str, RenewedPicture] | None:
    """Return each product's picture, or print which are invalid and return None.

    Raises:
        OSError: one cannot be read.
    """
    pictures = {}
    is_refused = False
    for product in products:
        file = folder / product.picture
        fault = _fault_of(file)
        if fault is not None:
            print(f"{file}: {fault}")
            is_refused = True
            continue
        content = file.read_bytes()
        try:
            pictures[product.name] = RenewedPicture(
                renew_picture(io.BytesIO(content), IMAGE).read(),
                renew_picture(io.BytesIO(content), THUMBNAIL).read(),
            )
        except DomainError as refusal:
            print(f"{file}: {refusal.sentence}")
            is_refused = True
    return None if is_refused else pictures


def _fault_of(file: Path) -> str | None:
    """Return why a file cannot be read as a picture; other than regular files are not opened."""
    if not file.exists():
        return "There is no such file."
    if not file.is_file():
        return "This is no file."
    size = file.stat().st_size
    if not size:
        return "This file is empty."
    return "The picture is too large." if size > LARGEST_PICTURE_BYTES else None


async def _apply(
    database: Database, store: MediaStore, opening: OpeningFile, options: Namespace
) -> OpeningReport | None:
    """Find missing items, store their pictures, then write everything atomically.

    Pictures are stored before the transaction opens; those of products that were added concurrently
    are deleted again. Returns None if a missing product's picture is invalid.
    """
    keys = {
        product.name: ProductPictures(new_key(FOLDER, "webp"), new_key(FOLDER, "webp"))
        for product in opening.products
    }
    preview = await _write(database, opening, keys, commits=False)
    missing = preview.added.get("product", [])
    wanted = [product for product in opening.products if product.name in missing]
    pictures = read_pictures(wanted, options.path.parent)
    if pictures is None:
        return None
    if options.dry_run:
        return preview
    stored = [key for name in missing for key in (keys[name].image, keys[name].thumbnail)]
    used: list[str] = []
    try:
        for name in missing:
            await store.put(keys[name].image, io.BytesIO(pictures[name].image))
            await store.put(keys[name].thumbnail, io.BytesIO(pictures[name].thumbnail))
        report = await _write(database, opening, keys, commits=True)
        used = report.added.get("product", [])
    finally:
        kept = {key for name in used for key in (keys[name].image, keys[name].thumbnail)}
        await discard(store, [key for key in stored if key not in kept])
    return report


async def _write(
    database: Database, opening: OpeningFile, keys: Mapping[str, ProductPictures], *, commits: bool
) -> OpeningReport:
    report = OpeningReport({})
    async with database.transaction(commits=commits) as tx:
        await _add_what_is_missing(tx, opening, keys, report)
        for kind, names in report.added.items():
            for name in names:
                await audit_act(tx, "apply", kind, name)
    return report


async def _add_what_is_missing(
    tx: Transaction,
    opening: OpeningFile,
    keys: Mapping[str, ProductPictures],
    report: OpeningReport,
) -> None:
    if opening.legal is not None:
        is_new = await settings_service.set_publisher(tx, opening.legal)
        report.record("legal", opening.legal.name, is_new=is_new)
    for club in opening.clubs:
        report.record("club", club.name, is_new=await clubs_admin.add_club(tx, club))
    if opening.season is not None:
        name = opening.season.name
        is_new = not await seasons.has_season(tx, name)
        if is_new:
            await seasons.set_season(tx, opening.season, clock.now())
        report.record("season", name, is_new=is_new)
    for plan in opening.plans:
        report.record("plan", plan.name, is_new=await buying.add_plan(tx, plan))
    missing = await shop_products.missing_products(tx, opening.products)
    for product in opening.products:
        if product in missing:
            await shop_products.add_product(tx, product, keys[product.name])
        report.record("product", product.name, is_new=product in missing)
