"""Fingerprints of files and folders, by size and modification time."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from whence.notebook.schedule.board import fingerprint_of

_MOST = 10_000
"""Files of a folder or pattern that count, in order of their paths. A change in a later file goes unnoticed."""


def file_mark(path: str) -> str | None:
    """Return a text that changes when the file, folder or pattern does; None if there is no such file.

    Web addresses and databases always have the same mark, for whence cannot see them change.
    """
    if "://" in path or path.startswith("jdbc:"):
        return "elsewhere"
    found = Path(path.removeprefix("file:"))
    try:
        if found.is_dir():
            return fingerprint_of([[str(each), *_facts(each)] for each in sorted(found.rglob("*"))[:_MOST]])
        if found.exists():
            return fingerprint_of(_facts(found))
        several = sorted(glob.glob(path))[:_MOST]
        return fingerprint_of([[each, *_facts(Path(each))] for each in several]) if several else None
    except (OSError, ValueError):
        return None


def _facts(path: Path) -> list[int]:
    facts = os.stat(path)
    return [facts.st_size, facts.st_mtime_ns]
