"""A step to the next format that only tests take, to try the mechanism before a released format changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from sqlalchemy import Connection, text

from tests.store.making import make
from whence.model.caveat import Caveat
from whence.store import migrations
from whence.store.doctor import doctor
from whence.store.store import Store

TABLE = "sample_step"


def add_table(connection: Connection) -> None:
    """The step: one more table."""
    connection.execute(text(f"create table {TABLE} (id varchar primary key)"))


def install(patch: pytest.MonkeyPatch) -> None:
    """Make the step the newest one."""
    patch.setattr(migrations, "STEPS", (*migrations.STEPS, add_table))


def fill(root: Path) -> None:
    """A closed workspace of the format before the step."""
    store = Store.open(root)
    towns = make(
        store,
        "towns",
        pa.table({"town": ["Ulm", "Bonn"], "people": [126, None]}),
        caveats=(Caveat("not a number", "load", 1, "people", 2, "many"),),
    )
    arrays = {"part0": {"source0": np.arange(2)}}
    make(store, "twice", pa.table({"double_people": [252, None]}), parents=[towns.id], arrays=arrays)
    store.close()


def check(store: Store) -> None:
    """Everything that the workspace holds, whatever its format."""
    towns, twice = store.current("towns"), store.current("twice")
    assert store.read(towns, 0, 9).to_pydict() == {"town": ["Ulm", "Bonn"], "people": [126, None]}
    assert store.read(twice, 0, 9).to_pydict() == {"double_people": [252, None]}
    assert twice.parents == (towns.id,)
    assert [caveat.text for caveat in store.caveats(towns)] == ["many"]
    assert store.arrays(twice, "part0") is not None
    assert doctor(store) == []
