"""Choose for each layer of a chart how its marks follow a brush, from its query and its lineage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.charts.compile import MEASURES, Branch
from whence.charts.curves import Curves
from whence.charts.following import Follower, Raw, Single
from whence.charts.kernels import Ints, Mask, Measured, Values
from whence.charts.relation import Several
from whence.charts.several import agrees, all_series, as_numbers, curve, spread
from whence.charts.spec import Channel
from whence.charts.spread import Beyond, Boxes
from whence.model.dataset import DatasetRecord


@dataclass(frozen=True)
class Layers:
    """The layers of one chart over the rows of its dataset."""

    data: DatasetRecord
    branches: Sequence[Branch]
    of_mark: Ints
    """The branch of each mark."""
    table: pa.Table
    """The mark table."""
    value_column: str
    column: Callable[[str], pa.ChunkedArray]
    """Function that reads a column of the dataset."""
    owner: Callable[[int], Ints | None]
    """Function that returns the mark of each row in a branch, or None if a row may have several."""
    behind: Callable[[Ints], Mask]
    """Function that returns the rows behind some marks."""
    is_utc: bool
    """Whether the Spark session's time zone is UTC."""

    def marks(self, place: int) -> Ints:
        """Return the marks of a branch."""
        return np.flatnonzero(self.of_mark == place)

    def follower(self, place: int) -> Follower | None:
        """Return the follower that recomputes the marks of a branch, or None if only a new run can tell."""
        branch = self.branches[place]
        # Marks of another dataset do not follow rows of this one.
        if branch.layer.data.name not in (None, self.data.name):
            return None
        # A folded row has a mark for each of its measures.
        if branch.layer.data.fold is not None:
            return None
        if branch.relation.several is not None:
            made = self._several(place, branch.relation.several)
            # A kernel is used only if it reproduces the stored marks over all rows.
            return made if made is not None and agrees(made, self.marks(place), self.table) else None
        owner = self.owner(place)
        return None if owner is None else self._single(branch, owner)

    def _single(self, branch: Branch, owner: Ints) -> Follower | None:
        column, size = self.value_column, len(self.table)
        if branch.relation.is_raw:
            return Raw(column, owner, np.array(self.table.column(column).to_pylist(), dtype=object))
        value = branch.relation.value
        if value is None:
            return None
        if value.of is None:
            return Single(column, Measured(owner, size, "count"))
        values, valid = self._values(branch, branch.layer.aes[value.of])
        if values is None:
            return None
        return Single(
            column,
            Measured(
                owner=owner, size=size, function=value.function, values=values, valid=valid, share=value.share or 0.5
            ),
        )

    def _several(self, place: int, several: Several) -> Follower | None:
        """Return the follower of a layer whose marks measure several things."""
        branch = self.branches[place]
        if several.kind == "points beyond boxes":
            return self._beyond(place)
        if several.along is not None:
            return self._curve(place, several)
        owner = self.owner(place)
        values, valid = self._values(branch, branch.layer.aes[str(several.of)])
        if owner is None or values is None:
            return None
        return spread(several, Measured(owner, len(self.table), "median", values, valid))

    def _curve(self, place: int, several: Several) -> Follower | None:
        """Return the follower of curves, in which each row counts for all marks of its curve."""
        branch = self.branches[place]
        a = self._numbers(branch.layer.aes[str(several.along)])
        b = None if several.of is None else self._numbers(branch.layer.aes[several.of])
        if a is None or (several.of is not None and b is None):
            return None
        others = {several.column, str(several.along), *MEASURES}
        keys = [name for name in branch.kinds if name not in others]
        found = all_series(several, self.marks(place), self.table, keys, lambda mark: self.behind(np.array([mark])))
        if found is None:
            return None
        series, of_row = found
        there = ~np.isnan(a) if b is None else ~(np.isnan(a) | np.isnan(b))
        second = None if b is None else np.nan_to_num(b)
        return curve(several, Curves(series, np.where(there, of_row, -1), len(self.table), np.nan_to_num(a), second))

    def _beyond(self, place: int) -> Follower | None:
        """Return the follower of the points beyond a layer of boxes. The boxes decide which points those are."""
        owner, boxes = self.owner(place), self._boxes_beside(self.branches[place])
        if owner is None or boxes is None:
            return None
        rows = np.full(len(self.table), -1, dtype=np.int64)
        behind = np.flatnonzero(owner >= 0)
        rows[owner[behind]] = behind
        return Beyond(boxes, self.value_column, rows)

    def _boxes_beside(self, points: Branch) -> Boxes | None:
        """Return the boxes of the same layer in the same panels."""
        for place, branch in enumerate(self.branches):
            several = branch.relation.several
            is_beside = (branch.layer.number, branch.layer.panel) == (points.layer.number, points.layer.panel)
            if is_beside and several is not None and several.kind == "boxes":
                made = self._several(place, several)
                return made if isinstance(made, Boxes) else None
        return None

    def _numbers(self, channel: Channel) -> npt.NDArray[np.float64] | None:
        return None if channel.column is None else as_numbers(self.column(channel.column), is_utc=self.is_utc)

    def _values(self, branch: Branch, channel: Channel) -> tuple[Values | None, Mask | None]:
        """Return the measured values row by row, or None for an expression, which only Spark can compute."""
        if channel.column is None:
            return None, None
        column = self.column(channel.column)
        valid = None if column.null_count == 0 else column.is_valid().to_numpy()
        if pa.types.is_integer(column.type):
            integers: npt.NDArray[np.int64] = column.fill_null(0).to_numpy().astype(np.int64)
            return integers, valid
        if pa.types.is_floating(column.type):
            floats: npt.NDArray[np.float64] = column.fill_null(0.0).to_numpy().astype(np.float64)
            return floats, valid
        if branch.relation.value is not None and branch.relation.value.function in ("count", "distinct"):
            # Counting and distinct values only compare, so numbers may stand for texts.
            codes = column.combine_chunks().dictionary_encode().indices.fill_null(0)
            coded: npt.NDArray[np.int64] = codes.to_numpy().astype(np.int64)
            return coded, valid
        return None, None
