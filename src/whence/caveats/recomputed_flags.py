"""Doubt flags as a fresh run of a dataset's query would set them: its plan runs again, for the flags alone.

Following lineage after an acknowledgement gives only an upper bound: a value that is certain again may settle another,
and absent rows have no lineage. Running the plan gives the exact flags.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa

from whence.caveats.influence import ROW, Part
from whence.caveats.own_caveats import Mask
from whence.caveats.query_rerun import Codes, PreparedQuery, QueryRerun
from whence.caveats.reach import FlagMasks
from whence.engine.blame import is_own_error
from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.plan.expr import Column
from whence.plan.rewrite import with_flags
from whence.plan.step import FlaggedStep


class RecomputedFlags:
    """Runs earlier queries again, over the doubt flags that their inputs have now."""

    def __init__(self, engine: Engine, rerun: QueryRerun) -> None:
        self._engine = engine
        self._rerun = rerun

    def of(self, record: DatasetRecord, settled_sites: Collection[int]) -> FlagMasks | None:
        """The flags of a dataset, without caveats of its own query at these sites; None if that cannot be told."""
        try:
            prepared = self._rerun.prepare(record, settled_sites)
            return None if prepared is None else self._run(record, prepared)
        except Exception as error:  # what was worked out without a run is right, too, if not as close
            is_own = is_own_error(error) and not self._engine.raises_internal_errors
            if isinstance(error, WhenceError) or is_own:
                return None
            raise

    def _run(self, record: DatasetRecord, prepared: PreparedQuery) -> FlagMasks | None:
        query = prepared.query
        flagged = with_flags(prepared.traced.step, query.read.ids)
        if flagged.is_certain:
            return FlagMasks({}, False)
        flags = _flags(query, flagged)
        found = self._rerun.rows(record, prepared, flagged, tuple(flags.values()))
        if found is None:
            return None
        masks = {
            part: _move_flags(found.table.column(number), found.codes)
            for number, part in enumerate(self._parts(record, flags))
        }
        return FlagMasks({part: mask for part, mask in masks.items() if mask.any()}, found.might_lack_rows)

    def _parts(self, record: DatasetRecord, flags: dict[int | None, Column]) -> list[Part]:
        return [ROW if position is None else record.schema.names[position] for position in flags]


def _flags(query: Query, flagged: FlaggedStep) -> dict[int | None, Column]:
    """The flag of each column by its place, and that of the row."""
    flags: dict[int | None, Column] = {
        place: flagged.cells[column.id] for place, column in enumerate(query.columns) if column.id in flagged.cells
    }
    return flags if flagged.row is None else {**flags, None: flagged.row}


def _move_flags(flags: pa.ChunkedArray, codes: Codes) -> Mask:
    """The flags of new rows on the old ones; rows that nothing tells apart share theirs."""
    old, new = codes
    is_set = flags.fill_null(False).to_numpy().astype(bool)
    flagged = np.zeros(int(old.max(initial=-1)) + 1, dtype=bool)
    flagged[new[is_set]] = True
    mask: Mask = flagged[old]
    return mask
