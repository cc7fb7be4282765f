"""A process that forgets a row, and is killed on the way. It needs no Spark: the plan is given."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa

import whence
from tests.store.making import make
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.store import faults
from whence.store.store import Store
from whence.workspace.forgetting.forget_rows import forget_rows
from whence.workspace.forgetting.matching import MatchingRows
from whence.workspace.forgetting.reach import ForgettingPlan

NEEDLE = "Ottilie-Quandt-7741"


def fill(root: Path, storage: Path | None = None) -> None:
    """A workspace with the needle in one row, in its source file, in a caveat, and in datasets made from the row."""
    store = Store.open(root, storage=None if storage is None else str(storage))
    source = root.parent / "people.csv"
    source.write_text(f"name\nAda\n{NEEDLE}\n")
    table = pa.table({"name": ["Ada", NEEDLE, "Cy"]})
    caveats = [Caveat("doubtful", "user", 1, "name"), Caveat("smudged", "user", 2, "name")]
    people = make(store, "people", table, caveats=caveats, sources=[store.add_file(source)])
    make(store, "copy", table, parents=[people.id])
    make(store, "other", pa.table({"n": [1]}))
    store.profiles.profile(people, "name")
    store.close()
    with whence.open(root) as workspace:
        workspace.sheet("people").set(2, "name", "Dee").set(1, "name", f"{NEEDLE} again").apply(name="edited")


def plan_of(people: DatasetRecord, copy: DatasetRecord, edited: DatasetRecord) -> ForgettingPlan:
    """The plan to forget the needle."""
    return ForgettingPlan(
        dataset="people",
        matching=(MatchingRows(people, np.array([1])),),
        made_again=(edited,),
        deleted=((copy, "nothing stored says how it was made"),),
        scratch=(),
        out_of_reach=(),
        values=frozenset({NEEDLE}),
    )


def forget(root: Path, point: str) -> None:
    """Forget the row of the needle and die at the point."""
    workspace = whence.open(root)
    plan = plan_of(*(workspace[name].record for name in ("people", "copy", "edited")))
    os.environ[faults.VARIABLE] = point
    forget_rows(workspace["people"].context, plan, f"name = '{NEEDLE}'")
    os._exit(0)
