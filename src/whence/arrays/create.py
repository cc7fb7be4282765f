"""Stores an array as a dataset, with the caveats that the user states about its cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from whence.arrays.arrays import VALUE, checked, schema, write_tiles
from whence.arrays.places import to_ids
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.schema import flag_column
from whence.store.draft import Draft
from whence.store.store import Store

CellCaveat = tuple[tuple[int, ...], str]
"""The coordinates of a cell, and why it is in doubt."""


def create_array(
    store: Store, name: str, array: object, axes: tuple[str, ...] | None = None, caveats: Sequence[CellCaveat] = ()
) -> DatasetRecord:
    """Store an array as a dataset; cell i in C order becomes row i."""
    cells, form = checked(array, axes)
    columns = schema(form)
    rows = to_ids([place for place, _ in caveats], form.shape, name)
    flags = None
    if len(rows):
        mask = np.zeros(cells.size, dtype=bool)
        mask[rows] = True
        flags = pa.table({flag_column(columns.names.index(VALUE)): pa.array(mask)})
    said = tuple(Caveat(why, "user", int(row), VALUE) for row, (_, why) in zip(rows, caveats, strict=True))
    doubt = Doubt(frozenset({VALUE})) if said else Doubt()
    run = store.begin("array", name)
    try:
        parts = write_tiles(run.staging, cells, form, flags)
        draft = Draft(columns, parts, "", doubt=doubt, caveats=said, documents=form.documents(is_source=True))
        return store.publish(run, draft)
    except BaseException as error:
        # Also when the user interrupts the run: `abandon` removes its staging folder.
        store.abandon(run, str(error) or type(error).__name__)
        raise
