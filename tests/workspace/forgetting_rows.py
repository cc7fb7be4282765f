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
from whence.workspace.forgetting.reach import ForgettingPlan, MatchingRows

NEEDLE = "Ottilie-Quandt-7741"


def fill(root: Path) -> None:
    """A workspace with the needle in one row, in its source file, in a caveat, and in a dataset made from the row."""
    store = Store.open(root)
    source = root.parent / "people.csv"
    source.write_text(f"name\nAda\n{NEEDLE}\n")
    table = pa.table({"name": ["Ada", NEEDLE, "Cy"]})
    caveats = [Caveat("doubtful", "user", 1, "name"), Caveat("smudged", "user", 2, "name")]
    people = make(store, "people", table, caveats=caveats, sources=[store.add_file(source)])
    make(store, "copy", table, parents=[people.id])
    make(store, "other", pa.table({"n": [1]}))
    store.profiles.profile(people, "name")
    store.close()


def plan_of(people: DatasetRecord, copy: DatasetRecord) -> ForgettingPlan:
    """The plan to forget the needle."""
    return ForgettingPlan(
        dataset="people",
        matching=(MatchingRows(people, np.array([1])),),
        made_again=(),
        deleted=((copy, "nothing stored says how it was made"),),
        scratch=(),
        out_of_reach=(),
    )


def forget(root: Path, point: str) -> None:
    """Forget the row of the needle and die at the point."""
    workspace = whence.open(root)
    plan = plan_of(workspace["people"].record, workspace["copy"].record)
    os.environ[faults.VARIABLE] = point
    forget_rows(workspace["people"].context, plan, f"name = '{NEEDLE}'")
    os._exit(0)
