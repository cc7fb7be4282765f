"""Checks, builds and serves web/ with the Node that pip installed."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Literal

import hatch_build
from tools.environment import ROOT
from tools.progress import phase

WEB = ROOT / "web"
LOCK = WEB / "package-lock.json"
Purpose = Literal["building", "checks"]
INSTALLED = WEB / "node_modules" / ".whence-lock"


def main(action: str) -> None:
    """Do one of build, check, serve; quietly nothing while there is no front end."""
    if hatch_build.has_sources(ROOT):
        {"build": build, "check": check, "serve": serve}[action]()


def build() -> None:
    """Build the page unless it already belongs to the present sources."""
    if not hatch_build.is_current(ROOT):
        install("building")
        with phase("build of the page", hatch_build.static(ROOT)):
            hatch_build.build_page(ROOT)


def check() -> None:
    """Everything that can be wrong with the front end, the cheapest first."""
    if missing := missing_from_lock(LOCK):
        sys.exit(
            f"whence: package-lock.json names but does not hold {', '.join(missing)}; other platforms cannot install"
        )
    install("checks")
    for script in ("check", "test"):
        hatch_build.run_npm(ROOT, "run", script)
    build()


def serve() -> None:
    """Start Vite's development server, which passes API calls on to a running `whence serve`."""
    install("checks")
    hatch_build.run_npm(ROOT, "run", "dev", is_shown=True)


def install(purpose: Purpose) -> None:
    """Bring node_modules to the lock, unless it has what the purpose needs; checks need more than building."""
    lock = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    held = INSTALLED.read_text(encoding="ascii") if INSTALLED.is_file() else ""
    if held in (f"{lock} {purpose}", f"{lock} checks"):
        return
    with phase(f"packages of the page for {purpose}", INSTALLED.parent):
        hatch_build.install_packages(ROOT, for_checks=purpose == "checks")
    INSTALLED.write_text(f"{lock} {purpose}", encoding="ascii")


def missing_from_lock(lock: Path) -> list[str]:
    """Optional packages (binaries of other platforms) that a lock written on one platform may silently lack."""
    packages: dict[str, dict[str, dict[str, str]]] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    held = {path.rpartition("node_modules/")[2] for path in packages}
    named = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    return sorted(named - held)


if __name__ == "__main__":
    main(sys.argv[1])
