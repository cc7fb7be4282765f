"""The check `shift`: values are distributed as in another version."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import COLUMN, CheckKind
from whence.checks.kinds.reference import label_of
from whence.checks.plan import CheckPlan
from whence.lineage.codes import encode
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import is_number

_BINS = 10
_LEAST_SHARE = 1e-4
"""The share that stands in for an empty bin, whose logarithm would be infinite."""

Shares = npt.NDArray[np.float64]


class ShiftCheck(CheckKind):
    """Values are distributed as in another dataset or version: the population stability index (PSI) over tenths of the
    other's numbers, or over its values, is at most `most`. NULL and NaN are left out."""

    name = "shift"
    parameters = (
        COLUMN,
        Parameter("dataset", "dataset", "the other dataset or version, such as orders@1", is_required=True),
        Parameter("most", "number", "the largest index; 0.1 is a small shift, 0.25 a large one", 0.2, least=0),
    )

    def describe(self, values: Arguments) -> str:
        return f"{values.text('column')} is distributed as in {label_of(values.value('dataset'))}"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        other = CheckedTable(table.find_dataset(values.value("dataset")), table.context, table.find_dataset)
        (name,) = table.columns([values.text("column")])
        (theirs,) = other.columns([name])
        if is_number(table.column(name)) != is_number(other.column(theirs)):
            raise UserError(f"{name} holds {table.column(name).type}, in {other.record.label} it holds other values.")
        ours, known = (each.read([field]).column(0) for each, field in ((table, name), (other, theirs)))
        index = stability_index(ours, known, is_numeric=is_number(table.column(name)))
        limit = values.number("most")
        return CheckPlan(where=index > limit, why=f"the index of {name} is {index:.3f}, more than {limit:g}")


def stability_index(ours: pa.ChunkedArray, known: pa.ChunkedArray, *, is_numeric: bool) -> float:
    """Return the population stability index, the sum of (p - q) ln(p / q) over bins; infinite if one side is empty."""
    counted = _numbers(ours, known) if is_numeric else _values(ours, known)
    if not all(each.sum() for each in counted):
        return float("inf") if any(each.sum() for each in counted) else 0.0
    p, q = (np.maximum(each / each.sum(), _LEAST_SHARE) for each in counted)
    return float(np.sum((p - q) * np.log(p / q)))


def _numbers(ours: pa.ChunkedArray, known: pa.ChunkedArray) -> tuple[Shares, Shares]:
    """Count numbers in the tenths of the known ones."""
    left, right = (pc.cast(pc.drop_null(each), pa.float64()).to_numpy() for each in (ours, known))
    left, right = left[~np.isnan(left)], right[~np.isnan(right)]
    if not len(left) or not len(right):
        return np.array([float(len(left))]), np.array([float(len(right))])
    edges = np.unique(np.quantile(right, np.arange(1, _BINS) / _BINS))
    return _count(np.searchsorted(edges, left, side="right"), len(edges) + 1), _count(
        np.searchsorted(edges, right, side="right"), len(edges) + 1
    )


def _values(ours: pa.ChunkedArray, known: pa.ChunkedArray) -> tuple[Shares, Shares]:
    """Count each value on both sides."""
    left, right = pc.drop_null(ours).cast(pa.string()), pc.drop_null(known).cast(pa.string())
    codes = encode(pa.chunked_array([*left.chunks, *right.chunks], pa.string()))
    return _count(codes.numbers[: len(left)], codes.count), _count(codes.numbers[len(left) :], codes.count)


def _count(places: npt.NDArray[np.int64], bins: int) -> Shares:
    return np.bincount(places, minlength=bins).astype(np.float64)
