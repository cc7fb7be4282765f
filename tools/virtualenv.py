"""Ways to make a virtual environment with pip, on machines that lack parts of Python's packaging."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if sys.platform == "win32" else "bin")
PYTHON = BIN / ("python.exe" if sys.platform == "win32" else "python")
PIP = "pip>=25.1"  # the first that installs dependency groups


def make_virtualenv() -> None:
    """Make .venv anew, by the plainest way that works here."""
    shutil.rmtree(VENV, ignore_errors=True)
    ways: tuple[Callable[[], bool], ...] = (_by_venv, _by_venv_and_outside_pip, _by_virtualenv, _by_apt)
    if not any(way() and has_pip() for way in ways):
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            f"whence: could not make a virtual environment with {base_python()}.\n"
            f"Install its venv module (Debian, Ubuntu: apt-get install {_venv_package()}) and run ./dev again."
        )


def has_pip() -> bool:
    """Whether .venv has a Python with pip."""
    return runs(PYTHON, "-m", "pip", "--version")


def base_python() -> str:
    """Return the Python that environments are made from, which is not that of an environment."""
    return str(getattr(sys, "_base_executable", sys.executable))


def runs(program: Path | str, *arguments: str) -> bool:
    """Whether a program runs and succeeds; what it prints is not shown."""
    try:
        return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def install_with_apt(*packages: str) -> bool:
    """Install Debian packages if that is possible here: apt-get is there and we may use it."""
    if not (shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0):
        return False
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    return all(
        subprocess.run(command, env=quietly, stdout=subprocess.DEVNULL, check=False).returncode == 0
        for command in (["apt-get", "update", "-qq"], install)
    )


def _by_venv() -> bool:
    return runs(base_python(), "-m", "venv", "--clear", str(VENV))


def _by_venv_and_outside_pip() -> bool:
    """Debian without python3-venv has venv but no ensurepip; a pip outside can install one inside."""
    made = runs(base_python(), "-m", "venv", "--clear", "--without-pip", str(VENV))
    return made and runs(base_python(), "-m", "pip", "--python", str(PYTHON), "install", "--quiet", PIP)


def _by_virtualenv() -> bool:
    """No venv module at all: --target is allowed even where the system's Python is externally managed."""
    with tempfile.TemporaryDirectory() as folder:
        fetched = runs(base_python(), "-m", "pip", "install", "--quiet", "--target", folder, "virtualenv")
        start = f"import sys; sys.path.insert(0, {folder!r}); from virtualenv import cli_run; cli_run(sys.argv[1:])"
        return fetched and runs(base_python(), "-c", start, "--clear", str(VENV))


def _by_apt() -> bool:
    return install_with_apt(_venv_package()) and _by_venv()


def _venv_package() -> str:
    return f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
