"""Says whether a dataset, a row, a column or a cell is in doubt, and lists the caveats behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.caveats.report_words import describe_origin, kind
from whence.loading.caveat_sentence import caveat_sentence
from whence.model.caveat import CaveatGroup

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


def is_doubtful(dataset: Dataset, row: int | None, column: str | None) -> bool:
    """Return whether a doubt flag is set on a cell, in a row, in a column, or anywhere in the dataset."""
    doubt = dataset.caveats.doubt
    if row is None:
        return column in doubt.columns if column is not None else not doubt.is_certain
    *cells, row_flag = dataset.caveats.marks_of([row]).to_pylist()[0].values()
    if column is None:
        return any(cells) or bool(row_flag)
    return bool(cells[dataset.columns.index(column)] or row_flag)


def caveat_line(group: CaveatGroup) -> str:
    """Return a group of caveats as one line: what is in doubt, of which kind, what raised it, and who accepted it."""
    note = f": {group.note}" if group.note else ""
    accepted = f"; acknowledged{note}" if group.acknowledged else ""
    return f"- {caveat_sentence(group)} ({kind(group)}, by {describe_origin(group)}{accepted})"
