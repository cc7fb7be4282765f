"""Wrappers that give pandas functions over rows a lineage: row by row, by group, by two groups, or by batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class RowFunction:
    """A pandas function and the schema of its result. The function sees the row id of each row as column `__rid`."""

    function: Callable[..., Any]
    schema: str

    @property
    def name(self) -> str:
        """The name of the function in messages."""
        return getattr(self.function, "__name__", type(self.function).__name__)

    @property
    def by(self) -> tuple[str, ...]:
        """The columns whose values make groups."""
        return ()

    @property
    def form(self) -> Literal["rows", "batches", "group", "both"]:
        """How Spark calls the function."""
        raise NotImplementedError


class EachRow(RowFunction):
    """A function of a frame that returns one row for each row, in order: each comes from the row at its place.

    >>> def double(rows):
    ...     return rows.assign(y=rows.x * 2)
    >>> numbers = ws.create("numbers", [(1,), (2,)], schema="x int")
    >>> doubled = ws.apply(whence.arrays.EachRow(double, "x int, y int"), "numbers", name="doubled")
    >>> doubled.to_arrow().to_pylist()[1], doubled.lineage.backward([1], to="numbers").ids.tolist()
    ({'x': 2, 'y': 4}, [1])
    """

    @property
    def form(self) -> Literal["rows"]:
        """How Spark calls the function."""
        return "rows"


class Batches(RowFunction):
    """A function of an iterator of frames that yields frames; `__from` or `__rid` says where a row came from.

    Without either column lineage is coarse, and a caveat says so.
    """

    @property
    def form(self) -> Literal["batches"]:
        """How Spark calls the function."""
        return "batches"


@dataclass(frozen=True)
class _By(RowFunction):
    keys: tuple[str, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """The columns whose values make groups."""
        return self.keys


class Grouped(_By):
    """A function of the rows of one group; the rows it returns come from all of them, or from those `__from` lists.

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
        """How Spark calls the function."""
        return "group"


class CoGrouped(_By):
    """A function of the rows of one key in two datasets; `__from` and `__from_right` may list the rows it used."""

    @property
    def form(self) -> Literal["both"]:
        """How Spark calls the function."""
        return "both"
