"""Runs a pandas function over rows in Spark and publishes its output, with lineage and doubt flags."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.arrays.apply_context import ApplyContext
from whence.arrays.declared_lineage import DeclaredLineage, limit_declared
from whence.arrays.document import FILE, NAME, OperatorDocument
from whence.arrays.encodings import Arrays, pack_full
from whence.arrays.fingerprint import fingerprint_of
from whence.arrays.inherited import FlaggedParts
from whence.arrays.recorded import Regions
from whence.arrays.rowwise import RowFunction
from whence.arrays.run_capture import reason_for_rows
from whence.arrays.shapes import Ids, Shapes
from whence.arrays.strategy import COARSE, Strategy, strategy
from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import CaveatDocument
from whence.caveats.influence import ROW
from whence.derive.policy import CapturePolicy
from whence.engine.engine import Engine
from whence.engine.row_functions import Call, column_names, run_rows
from whence.engine.worker.row_functions import OWN_REGION, TracedFunction
from whence.lineage.document import NAME as LINEAGE
from whence.lineage.document import LineageDocument
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import UnknownColumn, UserError
from whence.plan.columnmap import Use
from whence.store.draft import Draft
from whence.store.runs import Run
from whence.store.types import schema_of


def apply_rows(
    context: ApplyContext, engine: Engine, function: RowFunction, inputs: Sequence[DatasetRecord], name: str
) -> DatasetRecord:
    """Run the function once over all rows and publish its output as a dataset."""
    _check(function, inputs)
    store, known = context.store, [context.flags.current_flags(each) for each in inputs]
    run = store.begin("operator", name)
    try:
        record = store.publish(run, _draft(context.policy, engine, function, inputs=list(inputs), known=known, run=run))
    except BaseException as error:
        # Also when the user interrupts the run: `abandon` removes its staging folder.
        store.abandon(run, str(error) or type(error).__name__)
        raise
    context.policy.follow_up(record, is_deferred=False)
    return record


def _check(function: RowFunction, inputs: Sequence[DatasetRecord]) -> None:
    wanted = 2 if function.form == "both" else 1
    if len(inputs) != wanted:
        raise UserError(f"{function.name} takes {wanted} datasets, and was given {len(inputs)}.")
    for column in function.by:
        for each in inputs:
            if each.schema.position(column) is None:
                raise UnknownColumn(f"{each.label} has no column {column}.", f"It has {', '.join(each.schema.names)}.")


def _draft(
    policy: CapturePolicy,
    engine: Engine,
    function: RowFunction,
    inputs: list[DatasetRecord],
    known: list[FlaggedParts],
    run: Run,
) -> Draft:
    columns = column_names(engine, function.schema)
    doubts = [_doubted(each) for each in known]
    everywhere = any(each.row_set or ROW in each.masks for each in known)
    around = TracedFunction(function.function, columns, doubts, function.name, everywhere)
    is_doubtful = everywhere or any(len(each) for each in doubts)
    call = Call(function.form, function.by, function.schema)
    started = time.perf_counter()
    outcome = run_rows(engine, inputs, call, around, run.staging, is_doubtful=is_doubtful)
    seconds = time.perf_counter() - started
    shapes = Shapes(tuple((each.rows,) for each in inputs), (outcome.rows,))
    kept, arrays = _read_regions(outcome.ids, shapes)
    code = {"name": function.name, "code": fingerprint_of(function.function), "arguments": None}
    size = sum(array.nbytes for array in arrays.values())
    document = OperatorDocument(code, shapes, kept, seconds, bytes=size)
    declared = DeclaredLineage(document, _lineage(function, inputs, columns, kept), arrays)
    lineage = limit_declared(policy.settings, inputs, declared, reason_for_rows(policy.settings))
    return Draft(
        schema=schema_of(engine.arrow_schema(function.schema)),
        parts=outcome.parts,
        text=f"{type(function).__name__}({function.name})",
        parents=tuple(dict.fromkeys(each.id for each in inputs)),
        doubt=Doubt(frozenset(columns[place] for place in outcome.flagged_columns), outcome.has_row_flags, everywhere),
        caveats=_coarse_caveats(function, inputs, kept, is_doubtful=is_doubtful),
        documents={
            NAME: lineage.run.to_json(),
            LINEAGE: lineage.document.to_json(),
            CAVEATS: CaveatDocument("any" if kept != COARSE else "all").to_json(),
        },
        arrays={FILE: lineage.arrays} if lineage.arrays else {},
    )


def _doubted(known: FlaggedParts) -> Ids:
    masks = list(known.masks.values())
    return np.flatnonzero(np.logical_or.reduce(masks)) if masks else np.empty(0, dtype=np.int64)


def _read_regions(ids: pa.Table, shapes: Shapes) -> tuple[Strategy, Arrays]:
    """Return the strategy and the packed regions that tasks recorded; COARSE if some row does not name its sources."""
    rows, inputs = shapes.cells, len(shapes)
    labels = ids.column(0).to_numpy() if rows else np.empty(0, dtype=np.int64)
    sides = [ids.column(1 + side).combine_chunks() for side in range(inputs)]
    has_list = sides[0].is_valid().to_numpy(zero_copy_only=False)
    if not has_list[labels == OWN_REGION].all():
        return COARSE, {}
    # Only one row of each region carries the list of input rows; rows of the same region find it by their label.
    starts = np.flatnonzero(has_list)
    regions = np.empty(rows, dtype=np.int64)
    regions[starts] = np.arange(len(starts))
    shared = labels != OWN_REGION
    if shared.any():
        first = starts[labels[starts] != OWN_REGION]
        order = np.argsort(labels[first], kind="stable")
        places = np.searchsorted(labels[first][order], labels[shared])
        regions[shared] = regions[first[order[places]]]
    members = tuple(_members(side, has_list) for side in sides)
    listed = Regions(len(starts), np.arange(rows, dtype=np.int64), regions, members)
    by_region = rows + sum(len(cells) for cells, _ in members)
    encoding = "many" if by_region < sum(listed.pair_count(number) for number in range(inputs)) else "one"
    chosen = strategy(f"full {encoding}")
    return chosen, pack_full(listed, chosen.encoding, shapes)


def _members(side: pa.ListArray, has_list: npt.NDArray[np.bool_]) -> tuple[Ids, Ids]:
    lengths = pc.fill_null(pc.list_value_length(side), 0).to_numpy()[has_list]
    cells: Ids = side.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
    return cells, np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def _coarse_caveats(
    function: RowFunction, inputs: Sequence[DatasetRecord], kept: Strategy, *, is_doubtful: bool
) -> tuple[Caveat, ...]:
    if kept != COARSE:
        return ()
    found = [Caveat(f"Lineage is coarse here: {function.name} does not say where its rows came from.", "lineage")]
    if is_doubtful:
        found += [
            Caveat(f"Made from {each.label} by {function.name}, some of it in doubt.", "coarse") for each in inputs
        ]
    return tuple(found)


_HOW = {
    "rows": "each row comes from the row of its place",
    "batches": "each row says where it came from",
    "group": "each row comes from its group, or from what it says",
    "both": "each row comes from the two groups of its key, or from what it says",
}


def _lineage(
    function: RowFunction, inputs: Sequence[DatasetRecord], columns: Sequence[str], kept: Strategy
) -> LineageDocument:
    uses = frozenset(Use(number, name, "computed") for number, each in enumerate(inputs) for name in each.schema.names)
    said = f"full: {function.name} ran in Spark; {_HOW[function.form]}."
    if kept == COARSE:
        said = f"coarse: {function.name} does not say where its rows came from, so any row may come from any row."
    values = dict.fromkeys(columns, uses)
    sources = tuple(each.id for each in inputs)
    return LineageDocument(
        sources=sources,
        is_exact=kept != COARSE,
        strategy=said,
        parts=0,
        values=values,
        row=frozenset(),
        has_maps=True,
        is_declared=True,
    )
