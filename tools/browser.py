"""Sees to it that the browser tests find a Chromium."""

from __future__ import annotations

import shutil
import sys

from tools.environment import install_with_apt

PROGRAMS = ("chromium-headless-shell", "chromium")
"""The best first. The shell has no windows, menus or extensions, and a test in it takes a third less CPU time."""


def find() -> str | None:
    """Return the path of the best Chromium of this machine, if it has one."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def ensure() -> None:
    """Install a Chromium of Debian where there is none; Playwright's own download is not used."""
    if find():
        return
    for program in PROGRAMS:  # older releases of Debian have no shell
        if install_with_apt(program, "fonts-liberation") and find():
            return
    sys.exit("The browser tests need a program called chromium (Debian: sudo apt-get install chromium).")


if __name__ == "__main__":
    ensure()
