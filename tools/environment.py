"""Makes .venv and keeps it in step with pyproject.toml, on machines that lack parts of Python's packaging."""

from __future__ import annotations

import hashlib
import json
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
STAMP = VENV / ".whence-installed"
CONSTRAINTS = ROOT / "requirements" / "constraints.txt"
DECIDES_INSTALL = (ROOT / "pyproject.toml", ROOT / "hatch_build.py", CONSTRAINTS)
PIP = "pip>=25.1"  # the first that installs dependency groups


def ensure() -> None:
    """Make .venv hold the project and its development tools; does nothing when nothing has changed."""
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == _fingerprint() and _installed():
        return
    print("== environment: installing into .venv (a few minutes the first time)", flush=True)
    if not _runs(PYTHON, "-m", "pip", "--version"):
        _make()
    STAMP.unlink(missing_ok=True)
    _pip("install", "--upgrade", PIP, "--constraint", str(CONSTRAINTS))
    _pip("install", "--editable", ".", "--group", "dev", "--constraint", str(CONSTRAINTS))
    STAMP.write_text(_fingerprint(), encoding="utf-8")


def write_constraints() -> None:
    """Pin the newest versions that pyproject.toml allows, names and versions only."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        resolve = ("install", "--dry-run", "--ignore-installed", "--report", str(report))
        _pip(*resolve, PIP, "--editable", ".", "--group", "dev")
        chosen = [item["metadata"] for item in json.loads(report.read_text(encoding="utf-8"))["install"]]
    pins = sorted(
        f"{package['name'].lower()}=={package['version']}" for package in chosen if package["name"] != "whence"
    )
    CONSTRAINTS.write_text("# Written by ./dev lock.\n" + "\n".join(pins) + "\n", encoding="utf-8")


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


def _make() -> None:
    """Try each way to a virtual environment with pip, the plainest first."""
    ways: tuple[Callable[[], bool], ...] = (_with_venv, _with_venv_and_outside_pip, _with_virtualenv, _with_apt)
    if not any(way() and _runs(PYTHON, "-m", "pip", "--version") for way in ways):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"whence: could not make a virtual environment with {_base_python()}.\n"
            f"Install its venv module (Debian, Ubuntu: apt-get install python{version}-venv) and run ./dev again."
        )


def _with_venv() -> bool:
    return _runs(_base_python(), "-m", "venv", "--clear", str(VENV))


def _with_venv_and_outside_pip() -> bool:
    """Debian without python3-venv has venv but no ensurepip; a pip outside can install one inside."""
    made = _runs(_base_python(), "-m", "venv", "--clear", "--without-pip", str(VENV))
    return made and _runs(_base_python(), "-m", "pip", "--python", str(PYTHON), "install", "--quiet", PIP)


def _with_virtualenv() -> bool:
    """No venv module at all: --target is allowed even where the system's Python is externally managed."""
    with tempfile.TemporaryDirectory() as folder:
        fetched = _runs(_base_python(), "-m", "pip", "install", "--quiet", "--target", folder, "virtualenv")
        start = f"import sys; sys.path.insert(0, {folder!r}); from virtualenv import cli_run; cli_run(sys.argv[1:])"
        return fetched and _runs(_base_python(), "-c", start, "--clear", str(VENV))


def _with_apt() -> bool:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return install_with_apt(f"python{version}-venv") and _with_venv()


def _base_python() -> str:
    return str(getattr(sys, "_base_executable", sys.executable))


def _pip(*arguments: str) -> None:
    # The page is built by the web step with packages kept between runs, not by the packaging hook.
    environment = {**os.environ, "WHENCE_SKIP_WEB": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [str(PYTHON), "-m", "pip", *arguments, "-qq"]
    if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
        sys.exit(f"whence: pip could not install (see above): {' '.join(arguments)}")


def _installed() -> bool:
    return _runs(PYTHON, "-c", "from importlib.metadata import version; version('whence')")


def _runs(program: Path | str, *arguments: str) -> bool:
    try:
        return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{VENV}\0".encode())
    for path in DECIDES_INSTALL:
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()
