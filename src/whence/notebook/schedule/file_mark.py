"""A short text that changes when a file or a folder of this machine does."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from whence.notebook.schedule.board import fingerprint_of

_MOST = 10_000


def file_mark(path: str) -> str | None:
    """None if nothing is there; the same for ever for what is not on this machine."""
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
