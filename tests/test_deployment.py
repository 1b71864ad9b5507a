"""The files that describe a deployment say what the code says."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped] # its stubs are not worth a dependency
from api.core.config import Settings

ROOT = Path(__file__).resolve().parents[1]
SETTING_LINE = re.compile(r"^# ([A-Z][A-Z0-9_]*)=(.*)$", re.MULTILINE)
WITHOUT_DEFAULT = {
    *("VALKEY_URL", "SMTP_URL", "TOKEN_KEY", "CODE_KEY", "PAYSTACK_SECRET_KEY"),
    *("PROFILE_KEY", "PROFILE_KEY_BEFORE"),
    *("S3_BUCKET", "S3_ENDPOINT_URL", "S3_ACCESS_KEY", "S3_SECRET_KEY"),
    *("TRANSFER_ACCOUNT_NAME", "TRANSFER_ACCOUNT_NUMBER", "TRANSFER_BANK"),
}
SETTING_NAMES = {name.upper() for name in Settings.model_fields}


def documented_settings() -> dict[str, str]:
    return dict(SETTING_LINE.findall((ROOT / ".env.example").read_text(encoding="utf-8")))


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return loaded


def test_the_example_environment_documents_every_setting_and_no_other() -> None:
    assert set(documented_settings()) == SETTING_NAMES


def test_the_operations_page_lists_every_setting() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `([A-Z][A-Z0-9_]*)` \|", page, re.MULTILINE)) == SETTING_NAMES


def test_the_documented_defaults_are_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SETTING_NAMES:
        monkeypatch.delenv(name, raising=False)
    defaults = Settings(_env_file=None)
    for name, value in documented_settings().items():
        if name not in WITHOUT_DEFAULT:
            monkeypatch.setenv(name, value)

    assert Settings(_env_file=None) == defaults


def test_compose_sets_only_settings_that_exist() -> None:
    services = compose()["services"]

    for name in ("app", "prepare"):
        assert set(services[name]["environment"]) <= SETTING_NAMES


def test_compose_keeps_its_data_in_volumes_and_waits_for_what_it_needs() -> None:
    services = compose()["services"]

    assert services["postgres"]["image"] == "postgres:18"
    assert services["postgres"]["volumes"] == ["postgres:/var/lib/postgresql"]
    for name, service in services.items():
        for needed in service.get("depends_on", {}):
            assert needed in services, f"{name} waits for {needed}, which is not there"
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in compose()["volumes"]


def test_the_image_runs_as_nobody_special_and_installs_the_runtime_lock_alone() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")

    assert re.findall(r"^USER (\w+)", dockerfile, re.MULTILINE)[-1] == "fans"
    assert re.findall(r"requirements/(\S+)", dockerfile) == ["runtime.lock"]
    assert "/healthz" in dockerfile


def test_the_context_of_the_image_names_only_files_that_exist() -> None:
    kept = [
        line[1:]
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    ]

    assert kept
    assert [path for path in kept if not (ROOT / path).exists()] == []


def test_the_gate_is_the_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

    assert script.splitlines()[-1] == "exec python3 run.py test"
