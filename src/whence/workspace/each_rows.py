"""`EachRows`: the answers to several lineage questions that were asked at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context
from whence.workspace.rows import Rows

Ids = npt.NDArray[np.int64]


class EachRows(Sequence[Rows]):
    """One Rows for each question, in the order asked. All ids share one array, so no list is built for each answer."""

    def __init__(
        self, context: Context, record: DatasetRecord, asked: Sequence[object], pairs: tuple[Ids, Ids]
    ) -> None:
        self._context = context
        self.record = record
        self.asked = list(asked)
        questions, self.ids = pairs
        self.offsets = np.searchsorted(questions, np.arange(len(self.asked) + 1))  # pairs are sorted by question

    @property
    def counts(self) -> Ids:
        """The number of rows that answer each question."""
        return np.diff(self.offsets)

    def to_arrow(self) -> pa.Table:
        """Return all answers as pairs: the number of the question, and a row that answers it."""
        questions = np.repeat(np.arange(len(self.asked)), self.counts)
        return pa.table({"question": questions, "row": self.ids})

    def __len__(self) -> int:
        return len(self.asked)

    def __getitem__(self, number: int) -> Rows:  # type: ignore[override]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        start, stop = self.offsets[number % len(self)], self.offsets[number % len(self) + 1]
        return Rows(self._context, self.record, Selection.of_sorted(self.ids[start:stop], self.record.rows))

    def __iter__(self) -> Iterator[Rows]:
        return (self[number] for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} answers, {len(self.ids)} rows of {self.record.label}>"
