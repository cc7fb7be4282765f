"""Runs a user's pandas function in a task: gives it row ids, and notes which input rows each output row came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

RID = "__rid"
FROM = "__from"
FROM_RIGHT = "__from_right"
OWN_REGION = -1
"""The region number of an output row that lists its own input rows."""

NOTE_COLUMNS = ("__region", "__left", "__right", "__doubt")
"""Columns that the task adds: region, left and right input rows of the region (in its first row only), and doubt.

A region is a set of output rows that came from the same input rows, such as all rows of a group."""

DoubtfulRows = Sequence[npt.NDArray[np.int64]]
"""For each input, the row ids that are in doubt."""


@dataclass(frozen=True)
class TracedFunction:
    """A user's function, the columns that it must return, and the input rows that are in doubt."""

    function: Callable[..., Any]
    columns: tuple[str, ...]
    doubtful_rows: DoubtfulRows
    name: str
    is_all_doubtful: bool = False
    """Whether an input may lack rows, or have rows that do not belong: then all output is in doubt."""

    def rows(self, batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        """Call a function that returns one row for each input row."""
        for batch in batches:
            made = self._frame(self.function(batch))
            if len(made) != len(batch):
                raise UserError(
                    f"{self.name} was given {len(batch)} rows and returned {len(made)}.", "Return one row for each row."
                )
            yield self._from_listed_rows(made, [[rid] for rid in batch[RID]], None)

    def batches(self, batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        """Call a function that returns any number of rows. Each names its input rows in `__from`, or keeps `__rid`."""
        for made in self.function(batches):
            frame = self._frame(made)
            sources = next((name for name in (FROM, RID) if name in frame.columns), None)
            if sources is None:
                yield self._with_notes(
                    frame, [OWN_REGION] * len(frame), [None] * len(frame), None, [self._any] * len(frame)
                )
            else:
                yield self._from_listed_rows(frame, _lists(frame[sources]), None)

    def group(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Call a function of one group. Unless the output has `__from`, each row came from the whole group."""
        made = self._frame(self.function(rows))
        if FROM in made.columns:
            return self._from_listed_rows(made, _lists(made[FROM]), None)
        return self._from_whole_group(made, rows[RID].tolist(), [])

    def group_pair(self, left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        """Call a function of the two groups that two datasets have for one key."""
        made = self._frame(self.function(left, right))
        if FROM in made.columns or FROM_RIGHT in made.columns:
            lefts = _lists(made[FROM]) if FROM in made.columns else [[]] * len(made)
            rights = _lists(made[FROM_RIGHT]) if FROM_RIGHT in made.columns else [[]] * len(made)
            return self._from_listed_rows(made, lefts, rights)
        return self._from_whole_group(made, left[RID].tolist(), right[RID].tolist())

    def _frame(self, made: object) -> pd.DataFrame:
        if isinstance(made, pd.Series) and len(self.columns) == 1:
            return made.to_frame(self.columns[0])
        if not isinstance(made, pd.DataFrame):
            raise UserError(f"{self.name} returned {type(made).__name__}.", "Return a pandas frame.")
        missing = [name for name in self.columns if name not in made.columns]
        if missing:
            raise UserError(f"{self.name} did not return the column {missing[0]}, which its schema promises.")
        return made

    def _from_whole_group(self, made: pd.DataFrame, left: list[int], right: list[int]) -> pd.DataFrame:
        # A number that no other group has: a row id of the left side, else one of the right, moved below OWN_REGION.
        region = min(left) if left else -2 - min(right)
        is_doubted = self._is_doubted(left, right)
        first = [left] + [None] * (len(made) - 1) if len(made) else []
        second = [right] + [None] * (len(made) - 1) if len(made) else []
        return self._with_notes(made, [region] * len(made), first, second, [is_doubted] * len(made))

    def _from_listed_rows(
        self, made: pd.DataFrame, left: list[list[int]], right: list[list[int]] | None
    ) -> pd.DataFrame:
        doubts = [self._is_doubted(*each) for each in zip(left, right or [[]] * len(left), strict=True)]
        return self._with_notes(made, [OWN_REGION] * len(made), left, right, doubts)

    def _is_doubted(self, *sides: list[int]) -> bool:
        if not self._any or self.is_all_doubtful:
            return self._any
        found = zip(self.doubtful_rows, sides, strict=False)
        return any(len(doubted) and np.isin(rows, doubted).any() for doubted, rows in found)

    @property
    def _any(self) -> bool:
        return self.is_all_doubtful or any(len(each) for each in self.doubtful_rows)

    def _with_notes(
        self,
        made: pd.DataFrame,
        regions: list[int],
        left: Iterable[Any],
        right: Iterable[Any] | None,
        doubt: list[bool],
    ) -> pd.DataFrame:
        frame = made[list(self.columns)].reset_index(drop=True)
        columns = (regions, list(left), [None] * len(frame) if right is None else list(right), doubt)
        beside = {name: pd.Series(values, dtype=object) for name, values in zip(NOTE_COLUMNS, columns, strict=True)}
        return frame.assign(**beside)


def _lists(column: pd.Series[Any]) -> list[list[int]]:
    return [[int(each)] if isinstance(each, int | np.integer) else [int(rid) for rid in each] for each in column]
