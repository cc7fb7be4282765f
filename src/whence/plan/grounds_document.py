"""The grounds of a dataset as a document: stored only where something is written in the query, or read by parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from whence.plan.columnmap import ColumnMap
from whence.plan.expr import Column
from whence.plan.grounds import NOTHING, Ground, Grounds, Read
from whence.plan.step import Step

NAME = "grounds"


@dataclass(frozen=True)
class GroundsDocument:
    """`columns`: the grounds of columns in rows with data, by name, as far as the column map does not say all."""

    has_data_rows: bool = True
    has_written_rows: bool = False
    columns: Mapping[str, Ground] = field(default_factory=dict)
    lists_cells: bool = False
    """A file beside the rows lists cells that were written by hand, as on a sheet."""

    @property
    def has_constants(self) -> bool:
        """Whether the query or the sheet may have written a value of the result."""
        return (
            self.has_written_rows
            or self.lists_cells
            or any(ground.written or ground.defaults for ground in self.columns.values())
        )

    def to_json(self) -> dict[str, object]:
        """As a JSON document."""
        content = {
            "data rows": self.has_data_rows,
            "written rows": self.has_written_rows,
            "columns": {name: _write(ground) for name, ground in self.columns.items()},
        }
        return {**content, "listed": True} if self.lists_cells else content

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> GroundsDocument:
        """From a JSON document."""
        columns = cast("Mapping[str, Mapping[str, object]]", content["columns"])
        return cls(
            bool(content["data rows"]),
            bool(content["written rows"]),
            {name: _read(ground) for name, ground in columns.items()},
            bool(content.get("listed", False)),
        )


def find_grounds(plan: Step) -> Grounds:
    """What the columns of the plan stand on."""
    return plan.grounds(tuple(find_grounds(step) for step in plan.inputs))


def grounds_document(plan: Step, shown: Iterable[tuple[Column, str]], uses: ColumnMap) -> dict[str, object] | None:
    """The document of a plan; None where every column is made of input cells, all that the column map names."""
    found = find_grounds(plan)
    columns = {
        name: ground
        for column, name in shown
        if not _is_plain(ground := (found.data or {}).get(column.id, NOTHING), column, uses)
    }
    if found.written is None and not columns:
        return None
    return GroundsDocument(found.data is not None, found.written is not None, columns).to_json()


def _is_plain(ground: Ground, column: Column, uses: ColumnMap) -> bool:
    """Whether the column map says all about a column: it is made of every column that it uses."""
    named = frozenset((use.source, use.column) for use in uses.values.get(column.id, ()) if use.source >= 0)
    return ground == NOTHING or (not ground.written and not ground.defaults and ground.alternatives == {named})


def _write(ground: Ground) -> dict[str, object]:
    content: dict[str, object] = {
        "made of": sorted(sorted([list(read) for read in each]) for each in ground.alternatives),
        "written": sorted(each for each in ground.written if each is not None),
        "unknown": None in ground.written,
        "aggregated": ground.is_aggregated,
        "mixed": ground.is_mixed,
    }
    return {**content, "defaults": sorted(map(list, ground.defaults))} if ground.defaults else content


def _read(content: Mapping[str, object]) -> Ground:
    alternatives = cast("list[list[list[object]]]", content["made of"])
    unknown: list[float | None] = [None] if content["unknown"] else []
    return Ground(
        frozenset(frozenset(_read_of(each) for each in reads) for reads in alternatives),
        frozenset([*cast("list[float]", content["written"]), *unknown]),
        bool(content["aggregated"]),
        bool(content["mixed"]),
        frozenset(_read_of(each) for each in cast("list[list[object]]", content.get("defaults", []))),
    )


def _read_of(content: list[object]) -> Read:
    source, column = content
    return cast(int, source), str(column)
