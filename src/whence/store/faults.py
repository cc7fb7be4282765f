"""Crash points for tests: named moments just before and just after every step that makes a write durable."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLE = "WHENCE_FAULT"
"""Environment variable. If it names one of `POINTS`, the process kills itself at that point."""

ACTIONS = (
    "commit-run",
    "sync-part",
    "sync-caveats",
    "sync-document",
    "sync-array",
    "sync-source",
    "rename-source",
    "commit-source",
    "rename-part",
    "sync-manifest",
    "rename-lineage",
    "rename-dataset",
    "commit-dataset",
)

FORGET_ACTIONS = ("commit-forget", "remove-forgotten", "scrub-database", "commit-removals")
FORGET_ROWS_ACTIONS = (
    "commit-run",
    "sync-part",
    "rename-dataset",
    "commit-dataset",
    "sync-certificate",
    "rename-certificate",
    *FORGET_ACTIONS,
    "finish-certificate",
)
REPLACEMENT_ACTIONS = ("commit-replacements",)
GARBAGE_ACTIONS = ("rename-garbage", "commit-garbage")
UPLOAD_ACTIONS = ("sync-upload", "rename-upload")
SHEET_ACTIONS = ("sync-sheet", "rename-sheet")
EDIT_ACTIONS = ("commit-notebook", "commit-edit")
DROP_ACTIONS = ("commit-drop",)
CELL_ACTIONS = ("commit-cell-run", "commit-cell-result")
EVENT_ACTIONS = ("commit-run-event",)
MIGRATE_ACTIONS = ("back-up-database", "commit-format")


def points(actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return the points before and after each action."""
    return tuple(f"{when}-{action}" for action in actions for when in ("before", "after"))


POINTS = points(ACTIONS)


def reach(point: str) -> None:
    """Kill this process if the environment names this point, else do nothing."""
    if os.environ.get(VARIABLE) == point:
        os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def around(action: str) -> Iterator[None]:
    """Mark the points before and after an action."""
    reach(f"before-{action}")
    yield
    reach(f"after-{action}")
