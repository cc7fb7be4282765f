from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tools import environment, installer, virtualenv

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment in another place; making it takes no time, and each making leaves a line."""
    venv = tmp_path / ".venv"

    def make() -> None:
        shutil.rmtree(venv, ignore_errors=True)
        venv.mkdir()
        with (tmp_path / "made").open("a") as log:
            log.write("made\n")

    for module, name, value in (
        (environment, "VENV", venv),
        (environment, "STAMP", venv / ".whence-installed"),
        (environment, "UNFINISHED", venv / ".whence-unfinished"),
        (environment, "make_virtualenv", make),
        (environment, "has_pip", venv.is_dir),
        (environment, "_has_project", lambda: True),
        (installer, "fetch_installer", lambda: "uv"),
        (installer, "install", lambda *_: None),
    ):
        monkeypatch.setattr(module, name, value)
    return venv


def times_made(venv: Path) -> int:
    return len((venv.parent / "made").read_text().splitlines())


def test_an_environment_that_is_in_step_is_not_touched(venv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment.ensure("running")
    capsys.readouterr()
    environment.ensure("running")
    assert capsys.readouterr().out == ""
    assert times_made(venv) == 1


def test_development_adds_to_an_environment_for_running(
    venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(installer, "install", lambda *arguments: calls.append(arguments))
    environment.ensure("running")
    environment.ensure("development")
    environment.ensure("running")
    assert calls == [("--editable", ".", "--group", "page"), ("--editable", ".", "--group", "dev")]
    assert times_made(venv) == 1
    assert "== packages for development ..." in capsys.readouterr().out


def test_an_environment_that_could_not_be_filled_is_made_anew(venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(installer, "install", _fail)
        with pytest.raises(SystemExit, match="no such version"):
            environment.ensure("running")
    assert not venv.exists()
    environment.ensure("running")
    assert times_made(venv) == 2


def test_an_environment_whose_making_was_cut_off_is_made_anew(venv: Path) -> None:
    environment.ensure("running")
    environment.UNFINISHED.touch()  # what a kill leaves behind
    environment.ensure("running")
    assert times_made(venv) == 2
    assert not environment.UNFINISHED.exists()


def test_the_line_that_says_why_an_install_failed_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = "echo 'Requirement already satisfied: numpy'"
    pip = _program(tmp_path / "pip", f"{noise}; echo 'ERROR: soupsieve 4.1 needs Python 3.11.5'; exit 1")
    monkeypatch.setattr(installer, "UV", _program(tmp_path / "uv", "echo 'error: No solution found'; exit 1"))
    monkeypatch.setattr(installer, "PIP_COMMAND", (str(pip),))
    with pytest.raises(SystemExit) as end:
        installer.install("--editable", ".")
    assert str(end.value).splitlines() == [
        f"exit code 1 of {tmp_path / 'uv'}",
        "error: No solution found",
        "",
        f"exit code 1 of {pip}",
        "ERROR: soupsieve 4.1 needs Python 3.11.5",
        "",
        "whence: the packages could not be installed, see above.",
    ]


def test_where_uv_finds_nothing_pip_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installer, "UV", _program(tmp_path / "uv", "exit 2"))
    monkeypatch.setattr(installer, "PIP_COMMAND", (str(_program(tmp_path / "pip", f'echo "$@" >> {tmp_path}/asked')),))
    installer.install("--editable", ".")
    asked = [line for line in (tmp_path / "asked").read_text().splitlines() if line.startswith("install")]
    assert asked == [
        f"install --upgrade {virtualenv.PIP}",
        f"install --editable . --constraint {installer.CONSTRAINTS}",
    ]


@pytest.mark.parametrize(("stamp", "chosen"), [(".whence-installed", ".venv"), (".whence-unfinished", "PATH")])
def test_an_unfinished_environment_does_not_choose_the_python(tmp_path: Path, stamp: str, chosen: str) -> None:
    shutil.copy2(ROOT / "dev", tmp_path / "dev")
    _program(tmp_path / ".venv/bin/python", "echo .venv")
    (tmp_path / ".venv" / stamp).touch()
    _program(tmp_path / "bin/python3", "echo PATH")
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [tmp_path / "dev", "demo"], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == chosen


def _fail(*_: str) -> None:
    raise SystemExit("no such version")


def test_what_no_install_would_take_again_is_removed_from_the_store_of_uv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = tmp_path / "calls"
    monkeypatch.setattr(installer, "UV", _program(tmp_path / "uv", f'echo "$1 $2" >> {calls}'))
    installer.install("numpy")
    assert calls.read_text().splitlines() == ["pip install", "cache prune"]


def _program(path: Path, script: str) -> Path:
    """A program that does what the script says; as Python, it claims to be new enough."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nif [ "$1" = -c ]; then exit 0; fi\n{script}\n')
    path.chmod(0o755)
    return path
