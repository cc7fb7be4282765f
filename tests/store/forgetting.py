"""A process that forgets a dataset, collects garbage or opens an old workspace, and is killed on the way."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.store import sample_step
from tests.store.making import make
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.store import faults
from whence.store.store import Store

NEEDLE = "Ottilie-Quandt-7741"
"""Stands in the rows, the caveats, the documents, the text, the name and the source file of what is forgotten."""


def fill(store: Store, folder: Path) -> tuple[DatasetRecord, DatasetRecord, DatasetRecord]:
    """A dataset full of the needle, one made from it that does not show it, and one that has nothing to do with it."""
    (folder / "source.csv").write_text(f"name\n{NEEDLE}\n")
    secret = make(
        store,
        f"people {NEEDLE}",
        pa.table({"name": [NEEDLE, "x"], NEEDLE: [1, 2]}),
        caveats=[Caveat(f"{NEEDLE} is doubtful", "load", 0, "name", 2, NEEDLE)],
        documents={"load_report": {"text": NEEDLE}},
        arrays={"part0": {"out": np.arange(2)}},
        sources=[store.add_file(folder / "source.csv")],
    )
    child = make(store, "lengths", pa.table({"n": [19, 1]}), parents=[secret.id])
    other = make(store, "other", pa.table({"a": [1]}))
    failed = store.begin("load", f"people {NEEDLE}")
    store.abandon(failed, f"{NEEDLE} could not be read")
    store.abandon(store.begin("sql", "years"), f"{NEEDLE} is no number")
    store.views.view(secret, ["name"], [("name", "=", NEEDLE)]).rids()
    store.profiles.profile(secret, "name")
    return secret, child, other


def forget(root: Path, point: str) -> None:
    """Forget the dataset of the needle and die at the point."""
    store = Store.open(root)
    os.environ[faults.VARIABLE] = point
    store.forgetting.forget(store.versions(f"people {NEEDLE}"), keep_dependants=True)
    os._exit(0)


def forget_and_tell(root: Path, ready: Connection) -> None:
    """Forget the dataset of the needle, and say so just before and just after."""
    store = Store.open(root)
    chosen = store.versions(f"people {NEEDLE}")
    ready.send("begin")
    store.forgetting.forget(chosen, keep_dependants=True)
    ready.send("done")
    os._exit(0)


def collect(root: Path, point: str) -> None:
    """Collect garbage and die at the point."""
    store = Store.open(root)
    os.environ[faults.VARIABLE] = point
    store.collect_garbage(dry_run=False)
    os._exit(0)


def open_old(root: Path, point: str) -> None:
    """Open a workspace of the format before the sample step and die at the point."""
    sample_step.install(pytest.MonkeyPatch())
    os.environ[faults.VARIABLE] = point
    Store.open(root)
    os._exit(0)
