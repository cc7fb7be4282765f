"""Compares two runs over the same input: their operations, what these did, and the results by record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from whence.lineage.block import Ids
from whence.model.errors import UserError
from whence.pipeline.compare import differ
from whence.pipeline.operation import Operation
from whence.pipeline.questions.shared_records import SharedRecords
from whence.pipeline.trail import Trail


@dataclass(frozen=True)
class OperationDifference:
    """The operations at one place, if they differ in call or effect, or if one run has none there."""

    here: Operation | None
    there: Operation | None
    what: str


@dataclass(frozen=True)
class RunDifference:
    """Operations that differ, records and columns that only one result has, and records whose values differ."""

    operations: list[OperationDifference]
    records_here: Ids
    """The records that only this result has, as `record_ids` of this run numbers them."""
    records_there: Ids
    """The records that only the other result has, as `record_ids` of the other run numbers them."""
    columns_here: list[str]
    columns_there: list[str]
    changed: dict[str, Ids]
    """The records of this run whose values differ, by column that both results have."""

    @property
    def is_same(self) -> bool:
        """Whether the two results hold the same records, columns and values."""
        several = (self.records_here, self.records_there, self.columns_here, self.columns_there, self.changed)
        return not any(len(each) for each in several)

    def __str__(self) -> str:
        lines = [each.what for each in self.operations]
        lines.append(
            f"{len(self.records_here)} records only here, {len(self.records_there)} only there, "
            f"{sum(map(len, self.changed.values()))} cells differ in {len(self.changed)} columns"
        )
        return "\n".join(lines)


def compare_runs(here: Trail, there: Trail) -> RunDifference:
    """Return how the first run differs from the second."""
    if here.input.id != there.input.id:
        raise UserError(
            f"The runs have different inputs, {here.input.label} and {there.input.label}.",
            "Compare their results with ws.diff, which knows rows by their keys.",
        )
    shared = SharedRecords(here.input.rows)
    mine, theirs = (shared.numbers(trail)[trail.result_records] for trail in (here, there))
    names = [name for name in here.result.schema.names if there.result.schema.position(name) is not None]
    _, my_places, their_places = np.intersect1d(mine, theirs, return_indices=True)
    changed = {}
    for name in names:
        is_different = differ(_values(here, name, my_places), _values(there, name, their_places))
        if is_different.any():
            changed[name] = np.sort(here.result_records[my_places[is_different]])
    return RunDifference(
        operations=list(_operations(here, there)),
        records_here=np.sort(here.result_records[~np.isin(mine, theirs)]),
        records_there=np.sort(there.result_records[~np.isin(theirs, mine)]),
        columns_here=[name for name in here.result.schema.names if name not in names],
        columns_there=[name for name in there.result.schema.names if name not in names],
        changed=changed,
    )


def _values(trail: Trail, name: str, places: Ids) -> pa.ChunkedArray:
    """Return the values of a column of the result at these places."""
    return trail.column(len(trail.steps), name).take(pa.array(trail.result_rows[places]))


def _operations(here: Trail, there: Trail) -> list[OperationDifference]:
    found = []
    for number in range(max(len(here.steps), len(there.steps))):
        one = here.steps[number].operation if number < len(here.steps) else None
        other = there.steps[number].operation if number < len(there.steps) else None
        what = _difference(one, other, number + 1)
        if what:
            found.append(OperationDifference(one, other, what))
    return found


def _difference(one: Operation | None, other: Operation | None, number: int) -> str:
    if one is None or other is None:
        only, side = (other, "there") if one is None else (one, "here")
        return f"step {number}: only {side}, {only.code}" if only is not None else ""
    if one.code != other.code:
        return f"step {number}: {one.code} here, {other.code} there"
    if one.description != other.description:
        return f"step {number}: {one.description} Against: {other.description}"
    mine, theirs = one.count(), other.count()
    if mine != theirs:
        return (
            f"step {number}, {one.kind}: {mine.rows_after} rows and {mine.cells_changed} changed cells here, "
            f"{theirs.rows_after} and {theirs.cells_changed} there"
        )
    return ""
