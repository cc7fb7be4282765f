"""Commands that run cells confine Spark to the workspace, or say that this system cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence
from whence.cli.main import app
from whence.cli.spark_profile import spark_profile, spark_settings
from whence.engine.confine import check
from whence.model.errors import UserError

COMMANDS = (["serve", "ws"], ["demo", "ws"], ["run", "ws/book"])


class _Opened(Exception):
    """Stands for the workspace that a command would open."""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    whence.open("ws").close()


def _profile_of(command: list[str], monkeypatch: pytest.MonkeyPatch) -> object:
    def opened(*_: object, profile: str, **__: object) -> None:
        raise _Opened(profile)

    monkeypatch.setattr(whence, "open", opened)
    more = [] if command[0] == "run" else ["--port", "0", "--no-browser"]
    return CliRunner().invoke(app, [*command, *more]).exception


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_spark_is_confined_unless_the_user_says_otherwise(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "landlock_abi", lambda: 1)
    assert repr(_profile_of(command, monkeypatch)) == repr(_Opened("confined"))
    assert repr(_profile_of([*command, "--unconfined"], monkeypatch)) == repr(_Opened("server"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_system_without_landlock_starts_only_unconfined(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "landlock_abi", lambda: 0)
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code == 1
    assert "This system has no Landlock" in refused.output
    assert "--unconfined" in refused.output
    assert repr(_profile_of([*command, "--unconfined"], monkeypatch)) == repr(_Opened("server"))


def test_spark_on_a_cluster_is_never_confined() -> None:
    assert spark_profile(unconfined=True, master="spark://host:7077") == "server"
    with pytest.raises(UserError, match=r"spark://host:7077 runs elsewhere\. Add --unconfined"):
        spark_profile(unconfined=False, master="spark://host:7077")


def test_settings_of_spark_are_names_and_values() -> None:
    assert spark_settings([]) == {}
    assert spark_settings(["a.b=1", "c=d=e", "f="]) == {"a.b": "1", "c": "d=e", "f": ""}
    for wrong in ("a.b", "=1", ""):
        with pytest.raises(UserError, match="is no setting of Spark"):
            spark_settings([wrong])
