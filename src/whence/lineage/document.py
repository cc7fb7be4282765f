"""What is written down about a dataset's lineage beside its blocks: sources, column map, how it was captured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from whence.model.cellref import Role
from whence.model.ids import DatasetId
from whence.plan.columnmap import ColumnMap, Use, Uses
from whence.plan.limits import Limits

NAME = "lineage"


@dataclass(frozen=True)
class LineageDocument:
    """`sources`: the dataset behind each leaf of the plan; `values` and `row`: the column map by column name."""

    sources: tuple[DatasetId, ...]
    is_exact: bool
    strategy: str
    parts: int
    values: Mapping[str, Uses]
    row: Uses
    has_maps: bool = False
    """Some part of the block answers itself, without pairs."""
    late: tuple[str, ...] | None = None
    """The columns that show what rows were grouped by, where the block was left for later."""
    derivations: int = 0
    """How many there are, as far as they were counted."""

    def to_json(self) -> dict[str, object]:
        """As a JSON document."""
        return {
            "sources": list(self.sources),
            "exact": self.is_exact,
            "strategy": self.strategy,
            "parts": self.parts,
            "columns": {name: _uses_out(uses) for name, uses in self.values.items()},
            "row": _uses_out(self.row),
            "maps": self.has_maps,
            "late": None if self.late is None else list(self.late),
            "derivations": self.derivations,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> LineageDocument:
        """From a JSON document."""
        columns = cast("Mapping[str, list[list[object]]]", content["columns"])
        return cls(
            tuple(DatasetId(each) for each in cast("list[str]", content["sources"])),
            bool(content["exact"]),
            str(content["strategy"]),
            cast(int, content["parts"]),
            {name: _uses_in(uses) for name, uses in columns.items()},
            _uses_in(cast("list[list[object]]", content["row"])),
            bool(content.get("maps", False)),
            late=None if content.get("late") is None else tuple(cast("list[str]", content["late"])),
            derivations=cast(int, content.get("derivations", 0)),
        )


def named(columns: ColumnMap, ids: Iterable[int], names: Iterable[str], limits: Limits) -> dict[str, Uses]:
    """The uses of each output column, by its name; each limited source by the number it got."""
    return {
        name: numbered(columns.values.get(column, frozenset()), limits) for column, name in zip(ids, names, strict=True)
    }


def numbered(uses: Uses, limits: Limits) -> Uses:
    """The same uses with limited sources by number."""
    return frozenset(Use(limits.through(use.source, use.limits), use.column, use.role) for use in uses)


def _uses_out(uses: Uses) -> list[list[object]]:
    return sorted([use.source, use.column, use.role] for use in uses)


def _uses_in(uses: list[list[object]]) -> Uses:
    return frozenset(Use(cast(int, source), str(column), cast(Role, role)) for source, column, role in uses)
