"""What is written down about a dataset's lineage beside its blocks: sources, column map, how it was captured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from typing import cast

from whence.model.cellref import Role
from whence.model.ids import DatasetId
from whence.plan.columnmap import NOWHERE, ColumnMap, Use, Uses
from whence.plan.influence import Influence, Influences
from whence.plan.limits import Limits
from whence.plan.measures import Measure
from whence.plan.shape import Shape

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
    """Whether windows or maps are part of the block, which answer by arithmetic and store no pairs."""
    leaf_count: int | None = None
    """The number of sources that are leaves of the plan; each source after them is one of these behind a FILTER."""
    influences: Influences = frozenset()
    measures: Mapping[str, Measure] | None = None
    """What each column measures, by name; None where some column needs more than arithmetic."""
    is_global: bool = False
    """The dataset is the one row of an aggregate without keys, which is there even if nothing is left."""
    deferred_keys: tuple[str, ...] | None = None
    """The columns that show what rows were grouped by, where the block was left for later."""
    pruned_sources: frozenset[int] = frozenset()
    """Sources whose rows were not traced, as capture was limited to others: any of their rows may be behind any row."""
    derivations: int = 0
    """How many there are, as far as they were counted."""
    is_declared: bool = False
    """An operator that declares its lineage made it, and answers instead of a block."""
    query: str = ""
    """The hash of the query, its input versions and their doubt flags, where these settle the result."""
    reused_from: DatasetId | None = None
    """The version that the same query made before, whose rows and block these are."""
    inline_sources: tuple[int, ...] = ()
    """Sources whose ids stand in the part files beside the rows, and are the block."""
    fitted_models: tuple[str, ...] = ()
    """Models whose values it holds, by class: the rows that they learned from are none of the sources."""

    shape: Shape = field(default_factory=Shape)

    def without_derivations(self, strategy: str) -> LineageDocument:
        """The document of the same dataset if any row of each input may be behind any of its rows."""
        return LineageDocument(
            sources=self.sources[: self.leaf_count],
            is_exact=False,
            strategy=strategy,
            parts=0,
            values={name: frozenset() for name in self.values},
            row=frozenset(),
            shape=self.shape,
        )

    def to_json(self) -> dict[str, object]:
        """As a JSON document."""
        # The keys are part of the format of workspaces: another word here would hide the lineage of stored datasets.
        return {
            "sources": list(self.sources),
            "exact": self.is_exact,
            "strategy": self.strategy,
            "parts": self.parts,
            "columns": {name: _uses_out(uses) for name, uses in self.values.items()},
            "row": _uses_out(self.row),
            "maps": self.has_maps,
            "leaves": self.leaf_count,
            "influences": [list(map(_plain, astuple(each))) for each in sorted(self.influences)],
            "measures": self.measures and {name: list(astuple(each)) for name, each in self.measures.items()},
            "global": self.is_global,
            "deferred keys": None if self.deferred_keys is None else list(self.deferred_keys),
            "pruned": sorted(self.pruned_sources),
            "derivations": self.derivations,
            "declared": self.is_declared,
            "query": self.query,
            "reused from": self.reused_from,
            "inline sources": list(self.inline_sources),
            "models": list(self.fitted_models),
            "shape": self.shape.to_json(),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> LineageDocument:
        """From a JSON document."""
        columns = cast("Mapping[str, list[list[object]]]", content["columns"])
        deferred = cast("list[str] | None", content.get("deferred keys"))
        return cls(
            sources=tuple(DatasetId(each) for each in cast("list[str]", content["sources"])),
            is_exact=bool(content["exact"]),
            strategy=str(content["strategy"]),
            parts=cast(int, content["parts"]),
            values={name: _uses_in(uses) for name, uses in columns.items()},
            row=_uses_in(cast("list[list[object]]", content["row"])),
            has_maps=bool(content.get("maps", False)),
            leaf_count=cast("int | None", content.get("leaves")),
            influences=frozenset(
                _influence(*each)
                for each in cast("list[tuple[int, list[int], list[int]]]", content.get("influences", []))
            ),
            measures=_measures(cast("Mapping[str, tuple[str, int, str]] | None", content.get("measures"))),
            is_global=bool(content.get("global", False)),
            deferred_keys=None if deferred is None else tuple(deferred),
            pruned_sources=frozenset(cast("list[int]", content.get("pruned", []))),
            derivations=cast(int, content.get("derivations", 0)),
            is_declared=bool(content.get("declared", False)),
            query=str(content.get("query", "")),
            reused_from=cast("DatasetId | None", content.get("reused from")),
            inline_sources=tuple(cast("list[int]", content.get("inline sources", []))),
            fitted_models=tuple(cast("list[str]", content.get("models", []))),
            shape=_shape(cast("Mapping[str, object] | None", content.get("shape"))),
        )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _shape(content: Mapping[str, object] | None) -> Shape:
    return Shape() if content is None else Shape.from_json(content)


def _influence(source: int, beside: list[int], unmatched: list[int]) -> Influence:
    return Influence(source, tuple(beside), tuple(unmatched))


def _measures(found: Mapping[str, tuple[str, int, str]] | None) -> dict[str, Measure] | None:
    return None if found is None else {name: Measure(*each) for name, each in found.items()}


def uses_by_name(columns: ColumnMap, ids: Iterable[int], names: Iterable[str], limits: Limits) -> dict[str, Uses]:
    """The uses of each output column, by its name; each limited source by the number it got."""
    return {
        name: number_limited_sources(columns.values.get(column, frozenset()), limits)
        for column, name in zip(ids, names, strict=True)
    }


def number_limited_sources(uses: Uses, limits: Limits) -> Uses:
    """The same uses with limited sources by number."""
    placed = (use for use in uses if use.source != NOWHERE)
    return frozenset(Use(limits.number_through(use.source, use.limits), use.column, use.role) for use in placed)


def _uses_out(uses: Uses) -> list[list[object]]:
    return sorted([use.source, use.column, use.role] for use in uses)


def _uses_in(uses: list[list[object]]) -> Uses:
    return frozenset(Use(cast(int, source), str(column), cast(Role, role)) for source, column, role in uses)
