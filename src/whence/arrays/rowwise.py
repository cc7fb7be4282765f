"""pandas functions over rows that take part in lineage: one row for each, by group, by two groups, by batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class RowFunction:
    """A function, and the schema of what it returns; it sees the position of each row as a column `__rid`."""

    function: Callable[..., Any]
    schema: str

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return getattr(self.function, "__name__", type(self.function).__name__)

    @property
    def by(self) -> tuple[str, ...]:
        """The columns that make groups."""
        return ()

    @property
    def form(self) -> Literal["rows", "batches", "group", "both"]:
        """How it is called."""
        raise NotImplementedError


class EachRow(RowFunction):
    """Given a frame, it returns as many rows in the same order: each comes from the row of its place.

    >>> def double(rows):
    ...     return rows.assign(y=rows.x * 2)
    >>> numbers = ws.create("numbers", [(1,), (2,)], schema="x int")
    >>> doubled = ws.apply(whence.arrays.EachRow(double, "x int, y int"), "numbers", name="doubled")
    >>> doubled.to_arrow().to_pylist()[1], doubled.lineage.backward([1], to="numbers").ids.tolist()
    ({'x': 2, 'y': 4}, [1])
    """

    @property
    def form(self) -> Literal["rows"]:
        """How it is called."""
        return "rows"


class Batches(RowFunction):
    """Given an iterator of frames, it yields frames; `__from` or `__rid` in them says where a row came from.

    Where neither is there, any row may come from any row, and that is said.
    """

    @property
    def form(self) -> Literal["batches"]:
        """How it is called."""
        return "batches"


@dataclass(frozen=True)
class _By(RowFunction):
    keys: tuple[str, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """The columns that make groups."""
        return self.keys


class Grouped(_By):
    """Given the rows of one group, it returns rows made from all of them, or as `__from` says, from some.

    >>> def largest(rows):
    ...     top = rows.nlargest(1, "x")
    ...     return top.assign(__from=top["__rid"])
    >>> prices = ws.create("prices", [("a", 1), ("b", 2), ("a", 3)], schema="k string, x int")
    >>> tops = ws.apply(whence.arrays.Grouped(largest, "k string, x int", keys=("k",)), "prices", name="tops")
    >>> sorted((row["k"], row["x"]) for row in tops.to_arrow().to_pylist())
    [('a', 3), ('b', 2)]
    >>> prices.lineage.forward([0], to="tops").count, prices.lineage.forward([2], to="tops").count
    (0, 1)
    """

    @property
    def form(self) -> Literal["group"]:
        """How it is called."""
        return "group"


class CoGrouped(_By):
    """Given the rows of one key in two datasets; `__from` and `__from_right` may say which rows were used."""

    @property
    def form(self) -> Literal["both"]:
        """How it is called."""
        return "both"
