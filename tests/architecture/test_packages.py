"""The server's packages: the documented map is correct, and the lowest layer stays small."""

import ast
import importlib
import pkgutil
import re
import tomllib
from pathlib import Path

import api
from api.app.routers import BODY_LIMITS, CLASSES, ROUTERS
from api.foundation.http.admission import LoadClass
from api.foundation.http.body_limits import BodyLimit

ROOT = Path(__file__).parents[2]
API = ROOT / "api"
MAX_ENTRIES = 14
LARGEST_CORE_LINES = 1430
LARGEST_MAIN_LINES = 150


def layers() -> list[str]:
    """Return the packages of the contract, from top to bottom."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {found["id"]: found for found in project["tool"]["importlinter"]["contracts"]}
    found: list[str] = contracts["packages"]["layers"]
    return found


def rows_of_the_map() -> list[str]:
    """Return the package of each row of the map, from top to bottom."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("## Packages of `api/`")[1].split("\n## ")[0]
    return re.findall(r"^\| `api/(\w+)(?:\.py)?` \|", table, re.MULTILINE)


def lines_of(path: Path) -> int:
    """Return the number of lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def test_the_map_has_the_packages_of_the_contract_in_their_order() -> None:
    assert rows_of_the_map() == layers()


def test_the_map_names_every_part_of_a_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `api/(\w+)` \| (.*) \|$", page, re.MULTILINE))
    parts = {
        (name, path.parent.name)
        for name in sorted(rows.keys() - {"console", "dev", "shop"})
        for path in (API / name).glob("*/__init__.py")
    }

    assert len(parts) > 40
    assert [(name, part) for name, part in sorted(parts) if f"`{part}`" not in rows[name]] == []


def test_api_has_few_entries() -> None:
    entries = [path for path in API.iterdir() if path.suffix or any(path.rglob("*.py"))]

    assert len(entries) <= MAX_ENTRIES


def test_core_is_small_and_has_no_table() -> None:
    files = list((API / "foundation" / "core").rglob("*.py"))

    assert sum(lines_of(file) for file in files) < LARGEST_CORE_LINES
    assert not [file.name for file in files if "__tablename__" in file.read_text(encoding="utf-8")]


def test_the_application_is_put_together_on_a_page_or_two() -> None:
    assert lines_of(API / "main.py") < LARGEST_MAIN_LINES


def test_no_init_of_a_package_re_exports_what_its_modules_define() -> None:
    inits = list(API.glob("*/*/**/__init__.py"))
    exporting = [
        str(path.relative_to(ROOT))
        for path in inits
        if path.parent.name != "router"  # it combines the routers of its modules
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom | ast.Import)
    ]

    assert len(inits) > 40
    assert exporting == []


def test_what_routers_declare_beside_their_routes_holds() -> None:
    """Whatever the constant is called, and in whichever file of the router."""
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(api.__path__, "api.")
        if ".router" in module.name and not module.name.startswith(("api.app.", "api.dev."))
    ]
    declared = [
        (path, value)
        for module in modules
        for constant in vars(module).values()
        if isinstance(constant, dict)
        for path, value in constant.items()
        if isinstance(value, BodyLimit | LoadClass)
    ]
    limits = {path: value for path, value in declared if isinstance(value, BodyLimit)}
    classes = [(path, value) for path, value in declared if isinstance(value, LoadClass)]

    assert len(limits) > 8
    assert len(classes) > 8
    assert limits.items() <= BODY_LIMITS.items()
    assert set(classes) <= set(CLASSES.prefixes)


def test_every_router_is_part_of_the_application() -> None:
    found = {
        module
        for name in (each.name for each in pkgutil.walk_packages(api.__path__, "api."))
        if name.endswith(".router") and not name.startswith("api.dev.")
        for module in [importlib.import_module(name)]
    }

    assert found == set(ROUTERS)
