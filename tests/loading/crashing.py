"""A process that loads files and is killed on the way; it writes down what it was told is done."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

from whence.loading import load_csv
from whence.store import faults
from whence.store.store import Store


def load_once(root: Path, source: Path, log: Path, point: str) -> None:
    """Load "t" with a crash at the point."""
    store = Store.open(root)
    os.environ[faults.VARIABLE] = point
    load_csv(store, source, "t")
    acknowledge(log, "t@1")
    os._exit(0)


def load_for_ever(root: Path, source: Path, log: Path) -> None:
    """Load version after version of "t" until the process is killed."""
    store = Store.open(root)
    for _ in count():
        acknowledge(log, load_csv(store, source, "t").label)


def acknowledge(log: Path, label: str) -> None:
    """Note that a dataset is done, so that it must be there whatever happens next."""
    with log.open("a") as file:
        file.write(f"{label}\n")
        file.flush()
        os.fsync(file.fileno())
