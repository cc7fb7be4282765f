"""Saves what a sheet shows as a dataset: its rows, their lineage, what is in doubt, and the operations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from whence.caveats.document import NAME as CAVEATS
from whence.derive.derivation import begin_run
from whence.derive.limit_lineage import TableLineage, limit_lineage
from whence.lineage.block import to_arrays
from whence.lineage.document import NAME as LINEAGE
from whence.lineage.stretches import readings_to_arrays
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import BadInput
from whence.model.schema import ROW_FLAG_COLUMN, Field, Schema, flag_column
from whence.notebook.sheet.caveats import converted_cells, sheet_caveats
from whence.notebook.sheet.ladder import arrow_type
from whence.notebook.sheet.lineage import sheet_lineage
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.report import DOCUMENT
from whence.notebook.sheet.row_key import stored_key
from whence.notebook.sheet.rowset import Mask
from whence.notebook.sheet.state import SheetColumn
from whence.notebook.sheet.written_cells import written_cells
from whence.store.arrays import Array
from whence.store.caveat_file import Caveats
from whence.store.draft import Draft
from whence.store.parts import ROWS_PER_PART, PartFile, write_part
from whence.store.runs import Run

_BATCH = 131_072
"""Rows that are put together and written at a time."""


def apply_sheet(sheet: SheetLog, name: str) -> DatasetRecord:
    """Publish what the sheet shows as a dataset of this name."""
    store = sheet.services.store
    with begin_run(store, "sheet", name) as run:
        record = store.publish(run, _draft(sheet, run))
    sheet.services.capture.follow_up(record, is_deferred=False)
    return record


def _draft(sheet: SheetLog, run: Run) -> Draft:
    state, cells = sheet.state, sheet.cells
    columns = [state.columns[each] for each in state.shown]
    schema = Schema(tuple(Field(column.name, cells.types[column.id]) for column in columns))
    caveats = sheet_caveats(sheet)
    flags = _flags(sheet, caveats)
    known = sheet_lineage(state, cells)
    lineage = limit_lineage(sheet.services.store, sheet.services.capture, TableLineage(known.document, known.block))
    # The key of a row is that of the row it shows, which is found by lineage: without that there is no key.
    keys, hidden = stored_key(state) if lineage.is_stored else ({}, {})
    grounds, written = written_cells(state, known.reads)
    documents: dict[str, object] = {
        LINEAGE: lineage.document.to_json(),
        CAVEATS: known.about.to_json(),
        DOCUMENT: {
            "source": state.source.record.id,
            # One text, so that a hundred thousand edits are written at once, not part by part.
            "operations": json.dumps([each.to_json() for each in sheet.operations]),
            "sentences": json.dumps(sheet.sentences),
            "lost": [{"operation": each.operation.id, "why": each.why, "text": str(each)} for each in sheet.lost],
        },
        **keys,
        **grounds,
    }
    stored = {**to_arrays(lineage.block), **readings_to_arrays(lineage.block)}
    arrays: dict[str, Mapping[str, Array]] = {**stored, **hidden, **written}
    row_flags = flags.get(None)
    might_miss = state.source.flag_masks.row_set or any(each.might_belong for each in state.sifted)
    doubt = Doubt(frozenset(each for each in flags if each is not None), row_flags is not None, might_miss)
    outside = cells.outside_sources().values()
    parts = tuple(_parts(sheet, run, columns, flags))
    return Draft(
        schema=schema,
        parts=parts,
        text=_text(sheet),
        parents=tuple(dict.fromkeys((state.source.record.id, *(each.record.id for each in outside)))),
        doubt=doubt,
        caveats=caveats,
        documents=documents,
        arrays=arrays,
    )


def _text(sheet: SheetLog) -> str:
    done = sheet.sentences
    shown = " ".join(done[:5])
    return f"{shown} And {len(done) - 5} more." if len(done) > 5 else shown


def _flags(sheet: SheetLog, caveats: Caveats) -> dict[str | None, Mask]:
    """Return the cells in doubt by column name, and under None the rows in doubt. Empty masks are left out."""
    state, doubts = sheet.state, sheet.cells.doubts
    every = np.arange(state.order.count, dtype=np.int64)
    flags: dict[str | None, Mask] = {}
    for column in (state.columns[each] for each in state.shown):
        flags[column.name] = doubts.at(column.id, every) | converted_cells(sheet, column, every)
    table = caveats.table  # a caveat of the sheet itself, such as a failed formula, flags its cell
    for row, column in zip(table["row"].to_pylist(), table["column"].to_pylist(), strict=True):
        if row is not None and column is not None:
            flags[column][row] = True
    flags[None] = doubts.rows(every)
    return {part: mask for part, mask in flags.items() if mask.any()}


def _parts(sheet: SheetLog, run: Run, columns: list[SheetColumn], flags: dict[str | None, Mask]) -> Iterator[PartFile]:
    count = sheet.state.order.count
    for number, start in enumerate(range(0, max(count, 1), ROWS_PER_PART)):  # an empty sheet has one empty part
        stop = min(start + ROWS_PER_PART, count)
        # The schema of no rows: the file is opened before the first rows are read.
        schema = _rows(sheet, columns, flags, start, start).schema
        batches = (
            batch
            for first in range(start, stop, _BATCH)
            for batch in _rows(sheet, columns, flags, first, min(first + _BATCH, stop)).to_batches()
        )
        yield write_part(run.staging / f"part-{number:05d}.parquet", batches, schema)


def _rows(
    sheet: SheetLog, columns: list[SheetColumn], flags: dict[str | None, Mask], start: int, stop: int
) -> pa.Table:
    """Return rows start..stop-1 with their flags. Columns without edits are read from the data, these rows only."""
    state = sheet.state
    streams = state.order.is_plain  # only then do the rows of a batch lie side by side in the files
    untouched = [column.base for column in columns if streams and column.is_untouched and column.base is not None]
    data = state.source.table(state.order.at(start, stop), untouched) if untouched else None
    arrays, names = [], []
    for column in columns:
        if data is not None and streams and column.is_untouched:
            arrays.append(data.column(column.base))
        else:
            arrays.append(_typed(sheet, column).slice(start, stop - start))
        names.append(column.name)
    for position, column in enumerate(columns):
        if column.name in flags:
            arrays.append(pa.array(flags[column.name][start:stop]))
            names.append(flag_column(position))
    if None in flags:
        arrays.append(pa.array(flags[None][start:stop]))
        names.append(ROW_FLAG_COLUMN)
    return pa.table(arrays, names=names)


def _typed(sheet: SheetLog, column: SheetColumn) -> pa.Array:
    values = sheet.cells.column_values(column.id).values
    wanted = arrow_type(sheet.cells.types[column.id])
    if wanted is not None and values.type != wanted:
        raise BadInput(f"Column {column.name} does not hold {wanted}.")
    return values
