"""Installs Python packages into .venv: by uv, which downloads side by side, or by pip where uv cannot be had."""

from __future__ import annotations

import os
import subprocess
import sys

from tools.progress import failure_of
from tools.virtualenv import BIN, PIP, PYTHON, ROOT, VENV

CONSTRAINTS = ROOT / "requirements" / "constraints.txt"
UV = BIN / ("uv.exe" if sys.platform == "win32" else "uv")
UV_RANGE = "uv>=0.9,<1"
PIP_COMMAND = (str(PYTHON), "-m", "pip", "--disable-pip-version-check")
PIP_NOISE = ("Requirement already satisfied", "Collecting ")
"""Lines of pip that tell how far it came, and not why it stopped."""
TRUST = {"UV_SYSTEM_CERTS": "true", "UV_NATIVE_TLS": "true"}
"""uv brings certificates of its own; behind a company's proxy only those of the system, which pip uses, are right."""


def fetch_installer() -> str:
    """Bring uv into .venv, or a pip that knows dependency groups; return which of them it is."""
    if not _failure_of_pip("--only-binary", ":all:", UV_RANGE):
        return "uv"
    if failure := _failure_of_pip("--upgrade", PIP):
        sys.exit(f"{failure}\nwhence: pip could not install anything, see above. Is there a network?")
    return "pip"


def install(*arguments: str) -> None:
    """Install into .venv within the constraints, or end with the lines that say why it cannot be done."""
    wanted = (*arguments, "--constraint", str(CONSTRAINTS))
    failure = _failure_of_uv(*wanted) if UV.is_file() else ""
    forget_old_downloads()
    if failure or not UV.is_file():
        # Where only pip knows the way to packages (a mirror in pip.conf, a folder of wheels), uv finds nothing.
        if not (second := _failure_of_pip("--upgrade", PIP) or _failure_of_pip(*wanted)):
            return
        sys.exit("\n\n".join((failure, second, "whence: the packages could not be installed, see above.")).strip())


def forget_old_downloads() -> None:
    """Remove what no install would take from uv's store any more.

    Where an index tells no date of a file, uv fetches and builds Spark anew for every environment and keeps each copy,
    1.4 GB at a time, until the disk is full. Nothing is removed while another uv is at work.
    """
    if UV.is_file():
        failure_of((UV, "cache", "prune"), ROOT, {**os.environ, "UV_LOCK_TIMEOUT": "5"})


def count_packages() -> int:
    """Return how many packages .venv holds."""
    return len(list(VENV.rglob("*.dist-info")))


def _failure_of_uv(*arguments: str) -> str:
    return failure_of((UV, "pip", "install", "--python", PYTHON, *arguments), ROOT, _environment())


def _failure_of_pip(*arguments: str) -> str:
    lines = failure_of((*PIP_COMMAND, "install", *arguments), ROOT, _environment()).splitlines()
    return "\n".join(line for line in lines if not line.startswith(PIP_NOISE))


def _environment() -> dict[str, str]:
    """The page is built by the web step, with packages kept between runs, and not by the packaging hook."""
    environment = {**TRUST, **os.environ, "WHENCE_SKIP_WEB": "1"}
    if "UV_DEFAULT_INDEX" not in environment and (index := _index_of_pip()):
        environment["UV_DEFAULT_INDEX"] = index
    return environment


def _index_of_pip() -> str:
    """Return the index that the user's pip asks, if it is not the usual one."""
    asked = subprocess.run(
        (*PIP_COMMAND, "config", "get", "global.index-url"), capture_output=True, text=True, check=False
    )
    return os.environ.get("PIP_INDEX_URL", asked.stdout.strip())
