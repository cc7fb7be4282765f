"""Sees to it that the browser tests find a Chromium."""

from __future__ import annotations

import shutil
import sys

from tools.environment import install_with_apt


def ensure() -> None:
    """Install Debian's Chromium where there is none; Playwright's own download is not used."""
    if shutil.which("chromium"):
        return
    if not (install_with_apt("chromium", "fonts-liberation") and shutil.which("chromium")):
        sys.exit("The browser tests need a program called chromium (Debian: sudo apt-get install chromium).")


if __name__ == "__main__":
    ensure()
