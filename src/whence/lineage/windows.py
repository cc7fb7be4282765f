"""Collects the rows of windows after a run: from its output, or from Spark's cache."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from whence.engine.window_tables import WindowTables
from whence.lineage.orders import OrderedRows, Orders
from whence.plan.limits import Limits
from whence.plan.step import CarriedIds, Span
from whence.plan.steps.window_rows import WindowRows


def window_orders(
    on_top: tuple[WindowRows, ...],
    carried: tuple[CarriedIds, ...],
    ids: pa.Table,
    remembered: WindowTables | None,
    limits: Limits,
) -> Orders:
    """Return the rows of every window: read from the output if all came out, else from Spark's cache."""
    rows = {step.number: OrderedRows(step.carried_ids, _from_output(step, carried, ids)) for step in on_top}
    if remembered is not None:
        for step, table in remembered.tables():
            rows[step.number] = OrderedRows(step.carried_ids, table)
        remembered.clear()
    return Orders(rows, limits.by_number)


def _from_output(step: WindowRows, carried: tuple[CarriedIds, ...], ids: pa.Table) -> pa.Table:
    positions = {each.column: number for number, each in enumerate(carried)}
    span = next(each for each in carried if isinstance(each, Span) and each.window == step.number)
    structs = ids.column(positions[span.column])
    places = [pc.struct_field(structs, name) for name in ("partition", "place")]
    members = [ids.column(positions[each.column]) for each in step.carried_ids]
    arrays = [*places, *members]
    return pa.table(arrays, names=[f"c{number}" for number in range(len(arrays))])
