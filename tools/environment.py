"""Keeps .venv in step with pyproject.toml: with what running needs, or with the tools of development as well."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from typing import Literal

from tools import installer
from tools.progress import phase
from tools.virtualenv import BIN, PYTHON, ROOT, VENV, has_pip, install_with_apt, make_virtualenv, runs

__all__ = ["BIN", "PYTHON", "ROOT", "ensure", "install_with_apt"]

Purpose = Literal["running", "development"]

GROUPS: dict[Purpose, tuple[str, ...]] = {"running": ("page",), "development": ("dev",)}
STAMP = VENV / ".whence-installed"
UNFINISHED = VENV / ".whence-unfinished"
DECIDES_INSTALL = (ROOT / "pyproject.toml", ROOT / "hatch_build.py", installer.CONSTRAINTS)


def ensure(purpose: Purpose) -> None:
    """Make .venv hold the project and what the purpose needs; does nothing when nothing has changed."""
    if _is_installed(purpose):
        return
    if UNFINISHED.exists() or not has_pip():
        with phase(f"Python environment in .venv (Python {sys.version.split()[0]})", VENV):
            make_virtualenv()
    STAMP.unlink(missing_ok=True)
    UNFINISHED.touch()
    try:
        _install(purpose)
    except BaseException:
        shutil.rmtree(VENV, ignore_errors=True)  # the next try begins anew, and with another Python if there is one
        raise
    STAMP.write_text(f"{purpose} {_fingerprint()}", encoding="utf-8")
    UNFINISHED.unlink()


def _install(purpose: Purpose) -> None:
    with phase("package installer", VENV) as add:
        add(installer.fetch_installer())
    groups = [argument for group in GROUPS[purpose] for argument in ("--group", group)]
    with phase(f"packages for {purpose}", VENV) as add:
        installer.install("--editable", ".", *groups)
        add(f"{installer.count_packages()} packages")


def _is_installed(purpose: Purpose) -> bool:
    """A development environment can run everything, too."""
    if UNFINISHED.exists() or not STAMP.is_file():
        return False
    stamped, _, fingerprint = STAMP.read_text(encoding="utf-8").partition(" ")
    return stamped in (purpose, "development") and fingerprint == _fingerprint() and _has_project()


def _has_project() -> bool:
    return runs(PYTHON, "-c", "from importlib.metadata import version; version('whence-data')")


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{os.fspath(VENV)}\0".encode())
    for path in DECIDES_INSTALL:
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()
