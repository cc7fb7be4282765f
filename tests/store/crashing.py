"""A process that makes datasets and is killed on the way; it writes down what it was told is done."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa

from tests.store.making import make
from whence.model.caveat import Caveat
from whence.store import faults
from whence.store.store import Store


def work(root: Path, log: Path, point: str) -> None:
    """Make "before", then "t" with a crash at the point; each is logged once it was acknowledged."""
    store = Store.open(root)
    before = make(store, "before", pa.table({"a": [0]}))
    _acknowledge(log, "before")
    os.environ[faults.VARIABLE] = point
    source = store.add_file(log)
    make(
        store,
        "t",
        pa.table({"a": [1, 2]}),
        pa.table({"a": [3]}),
        parents=[before.id],
        caveats=[Caveat("why", "load", 0, "a")],
        documents={"load_report": {"records": 3}},
        arrays={"edge": {"rows": np.arange(3)}},
        sources=[source],
    )
    _acknowledge(log, "t")
    os._exit(0)


def _acknowledge(log: Path, name: str) -> None:
    with log.open("a") as file:
        file.write(f"{name}\n")
        file.flush()
        os.fsync(file.fileno())
