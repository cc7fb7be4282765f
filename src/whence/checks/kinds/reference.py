"""The check `reference`: values of this dataset exist in another one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.checks.checked_table import CheckedTable, group_numbers
from whence.checks.kind import CheckKind
from whence.checks.plan import CheckPlan
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments


class ReferenceCheck(CheckKind):
    """The values of these columns stand in a row of another dataset. As with FOREIGN KEY in SQL, a row with a NULL
    among them passes."""

    name = "reference"
    parameters = (
        Parameter("columns", "columns", "the columns that refer to the other dataset", is_required=True),
        Parameter("dataset", "dataset", "the other dataset", is_required=True),
        Parameter("other", "texts", "its columns; those of the same names if left open"),
    )

    def describe(self, values: Arguments) -> str:
        columns, other = values.texts("columns"), values.texts("other") or values.texts("columns")
        return f"{', '.join(columns)} is in {label_of(values.value('dataset'))} ({', '.join(other)})"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        other = CheckedTable(table.find_dataset(values.value("dataset")), table.context, table.find_dataset)
        names = table.columns(values.texts("columns"))
        theirs = other.columns(values.texts("other") or names)
        if len(names) != len(theirs):
            raise UserError(f"{', '.join(names)} cannot refer to {', '.join(theirs)}.", "Name as many columns of each.")
        rows, known = _as_same_types(table, names, other, theirs)
        groups = group_numbers(pa.concat_tables([rows, known]))
        fails = ~np.isin(groups[: rows.num_rows], groups[rows.num_rows :])
        for column in rows.columns:
            fails &= pc.is_valid(column).to_numpy()
        return CheckPlan(np.flatnonzero(fails), tuple(names), tuple(names))


def label_of(dataset: object) -> str:
    """Return how a check names a dataset that was given by name or as a handle."""
    return dataset if isinstance(dataset, str) else str(getattr(getattr(dataset, "record", dataset), "label", dataset))


def _as_same_types(
    table: CheckedTable, names: Sequence[str], other: CheckedTable, theirs: Sequence[str]
) -> tuple[pa.Table, pa.Table]:
    """Return the columns of both datasets under the same names and in the same types."""
    left, right = table.read(names), other.read(theirs)
    pairs = []
    for name, their, ours, known in zip(names, theirs, left.columns, right.columns, strict=True):
        common = _common_type(ours.type, known.type)
        if common is None:
            raise UserError(
                f"{name} holds {table.column(name).type} and {their} of {other.record.label} holds "
                f"{other.column(their).type}: they cannot be compared.",
                "Convert one of them first.",
            )
        pairs.append((ours.cast(common), known.cast(common)))
    labels = [f"c{number}" for number in range(len(pairs))]
    return pa.table([each[0] for each in pairs], labels), pa.table([each[1] for each in pairs], labels)


def _common_type(left: pa.DataType, right: pa.DataType) -> pa.DataType | None:
    """Return a type that holds the values of both without loss, as far as numbers go; None if there is none."""
    if left == right:
        return left
    if pa.types.is_integer(left) and pa.types.is_integer(right):
        return pa.int64()
    numbers = [pa.types.is_integer(each) or pa.types.is_floating(each) for each in (left, right)]
    return pa.float64() if all(numbers) else None
