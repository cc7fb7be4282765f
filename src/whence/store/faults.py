"""The named moments at which a crash is rehearsed: just before and just after everything that makes a write last."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLE = "WHENCE_FAULT"
"""Set to one of `POINTS`, the process kills itself when it gets there."""

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
GARBAGE_ACTIONS = ("rename-garbage", "commit-garbage")
UPLOAD_ACTIONS = ("sync-upload", "rename-upload")
SHEET_ACTIONS = ("sync-sheet", "rename-sheet")
EDIT_ACTIONS = ("commit-notebook", "commit-edit")
DROP_ACTIONS = ("commit-drop",)
CELL_ACTIONS = ("commit-cell-run", "commit-cell-result")
MIGRATE_ACTIONS = ("back-up-database", "commit-format")


def points(actions: tuple[str, ...]) -> tuple[str, ...]:
    """The moments before and after each action."""
    return tuple(f"{when}-{action}" for action in actions for when in ("before", "after"))


POINTS = points(ACTIONS)


def reach(point: str) -> None:
    """Do nothing, unless the environment asks for a crash at this point."""
    if os.environ.get(VARIABLE) == point:
        os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def around(action: str) -> Iterator[None]:
    """Name the moments before and after an action."""
    reach(f"before-{action}")
    yield
    reach(f"after-{action}")
