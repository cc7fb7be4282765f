"""Runs an operator on datasets: row by row, tile by tile in Spark's tasks, or in this process on whole arrays."""

from __future__ import annotations

from whence.arrays.apply import apply
from whence.arrays.apply_context import ApplyContext
from whence.arrays.apply_rows import apply_rows
from whence.arrays.apply_tiles import apply_tiles, can_be_tiled
from whence.arrays.operator import Operator
from whence.arrays.rowwise import RowFunction
from whence.arrays.tiles import MANY_CELLS
from whence.engine.load_in_tasks import InTasks
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.store import Store
from whence.workspace.context import Context


def apply_operator(
    context: Context,
    operator: Operator | RowFunction,
    inputs: list[DatasetRecord],
    name: str | None,
    *,
    lineage: str | None,
    tiles: bool | None,
) -> DatasetRecord:
    """Run an operator and return its dataset, which has the name of the operator unless the caller passes one."""
    called = name or operator.name.lower()
    running = ApplyContext(context.store, context.readers.flags, context.writers.capture)
    if isinstance(operator, RowFunction):
        return apply_rows(running, context.engine, operator, inputs, called)
    if _is_tiled(context.store, operator, inputs, lineage, tiles):
        tasks = InTasks(context.engine.session)
        return apply_tiles(running, tasks, operator, inputs=inputs, name=called, strategy=lineage)
    return apply(running, context.readers.operators, operator, inputs=inputs, name=called, strategy=lineage)


def _is_tiled(
    store: Store, operator: Operator, inputs: list[DatasetRecord], lineage: str | None, asked: bool | None
) -> bool:
    """Return whether to run the operator tile by tile. Raise if the user asked for tiles that are not possible."""
    can = lineage in (None, "map") and can_be_tiled(store, operator, inputs)
    if asked and not can:
        raise UserError(
            f"{operator.name} cannot be run tile by tile.",
            "That takes a radius, no lineage but a map, and arrays of one shape.",
        )
    return can and (asked or (asked is None and max(each.rows for each in inputs) >= MANY_CELLS))
