"""Groups all cells behind a cell by role, column and value, and counts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whence.model.cellref import CellRef, Role
from whence.server.values import to_json
from whence.wire.lineage import InputGroup, InputValue

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

MOST_VALUES = 50
"""The most distinct values of a group in an answer. The answer also has their total number."""

Rows = Mapping[str, set[int]]
"""For each column, the rows whose cell is in doubt."""


@dataclass
class _Values:
    """The distinct values of one group, in order of appearance, each with its first cell and its count."""

    first: dict[tuple[object, ...], CellRef] = field(default_factory=dict)
    counts: dict[tuple[object, ...], int] = field(default_factory=dict)

    def add(self, ref: CellRef, is_doubtful: bool) -> None:
        key = (*_identity(ref.value), is_doubtful)
        self.first.setdefault(key, ref)
        self.counts[key] = self.counts.get(key, 0) + 1

    def to_models(self) -> list[InputValue]:
        """Return the first distinct values, each with the number of cells that hold it."""
        chosen = list(self.first.items())[:MOST_VALUES]
        return [
            InputValue(value=to_json(ref.value), row=ref.row, count=self.counts[key], is_doubtful=bool(key[-1]))
            for key, ref in chosen
        ]


def input_groups(refs: list[CellRef], ancestor: Dataset) -> list[InputGroup]:
    """Return the groups in order of appearance. A doubtful value counts apart from the same value without doubt."""
    doubtful = _doubtful_rows(refs, ancestor)
    groups: dict[tuple[Role, str], _Values] = {}
    for ref in refs:
        is_doubtful = ref.row in doubtful.get(ref.column, ())
        groups.setdefault((ref.role, ref.column), _Values()).add(ref, is_doubtful)
    return [
        InputGroup(
            role=role,
            column=column,
            count=sum(values.counts.values()),
            distinct=len(values.counts),
            values=values.to_models(),
        )
        for (role, column), values in groups.items()
    ]


def _doubtful_rows(refs: Iterable[CellRef], ancestor: Dataset) -> Rows:
    """Return the rows in doubt for each column among the cells. Columns without any doubt are not read."""
    columns = {ref.column for ref in refs} & ancestor.caveats.doubt.columns
    if not columns:
        return {}
    rows = sorted({ref.row for ref in refs if ref.column in columns})
    marks = ancestor.caveats.marks_of(rows)
    position = {name: place for place, name in enumerate(ancestor.schema.names)}
    return {
        column: {row for row, mark in zip(rows, marks.column(position[column]).to_pylist(), strict=True) if mark}
        for column in columns
    }


def _identity(value: object) -> tuple[object, ...]:
    """Return a hashable key of a value.

    It has the type, as 1 and True would be equal otherwise, and the text of values without a hash, such as lists.
    """
    is_plain = isinstance(value, str | int | bytes) or value is None
    return type(value).__name__, value if is_plain else repr(value)
