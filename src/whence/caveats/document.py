"""The caveat document of a dataset: which columns each caveat site of its own query reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from whence.model.ids import DatasetId
from whence.plan.columnmap import NOWHERE, ColumnMap, Uses
from whence.plan.decides_for import decides_for, deciding_uses
from whence.plan.limits import Limits
from whence.plan.sites import Site, notes
from whence.plan.step import Step

NAME = "caveats"

Extent = Literal["rows", "groups", "any", "all", "inferred"]
"""What becomes of a row depends on the rows it was made from alone; on what else might have been in its group, too; on
any rows, as after a limit or an outer join; or on anything at all, as far as is known here. Where lineage was inferred,
copies depend on what they copy, and all else on anything that was read."""


@dataclass(frozen=True)
class CaveatDocument:
    """`columns` and `row`: the numbers of the sites that reach a column's cells, or decide on rows.

    `parts`: for each site that was searched for below, how many files tell the source rows of its caveats.
    """

    extent: Extent = "all"
    columns: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    row: tuple[int, ...] = ()
    parts: Mapping[int, int] = field(default_factory=dict)
    origins: Mapping[int, int] = field(default_factory=dict)
    """For each source that a FILTER clause limits, the source it limits."""
    decides: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """For each column whose cells a window or a subquery read, the source columns of which any row may decide that."""
    row_decides: tuple[tuple[int, str], ...] | None = None
    """The same for what such cells decide about rows; None where none does."""
    sites_elsewhere: tuple[int, ...] = ()
    """The sites whose caveats can reach such cells of rows that were not made from the one they were raised on."""

    is_one_way: bool = False
    """Each row of the one source goes into one row of the result at most."""
    inputs: Mapping[DatasetId, str] = field(default_factory=dict)
    """Inputs whose flags had changed since they were stored, with a fingerprint of the flags that the query read."""

    def column_of(self, site: int) -> str | None:
        """The one column a site reaches; None where it reaches several, or decides on rows."""
        reached = [name for name, numbers in self.columns.items() if site in numbers]
        return reached[0] if len(reached) == 1 and site not in self.row else None

    def decides_elsewhere(self, site: int | None) -> bool:
        """A caveat of this site can reach rows that were not made from the one it was raised on."""
        decides = self.extent != "rows" and site in self.row
        return self.extent == "all" or decides or site in self.sites_elsewhere

    def to_json(self) -> dict[str, object]:
        """As a JSON document."""
        return {
            "extent": self.extent,
            "columns": {name: list(numbers) for name, numbers in self.columns.items()},
            "row": list(self.row),
            "parts": {str(number): count for number, count in self.parts.items()},
            "origins": {str(number): origin for number, origin in self.origins.items()},
            "decides": {name: [list(each) for each in columns] for name, columns in self.decides.items()},
            "row decides": None if self.row_decides is None else [list(each) for each in self.row_decides],
            "elsewhere": list(self.sites_elsewhere),
            "one way": self.is_one_way,
            "inputs": dict(self.inputs),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> CaveatDocument:
        """From a JSON document."""
        columns = cast("Mapping[str, list[int]]", content["columns"])
        parts, origins = (cast("Mapping[str, int]", content[name]) for name in ("parts", "origins"))
        decides = cast("Mapping[str, list[tuple[int, str]]]", content.get("decides", {}))
        row_decides = cast("list[tuple[int, str]] | None", content.get("row decides"))
        return cls(
            extent=cast(Extent, content["extent"]),
            columns={name: tuple(numbers) for name, numbers in columns.items()},
            row=tuple(cast("list[int]", content["row"])),
            parts={int(number): count for number, count in parts.items()},
            origins={int(number): origin for number, origin in origins.items()},
            decides={name: tuple((number, column) for number, column in columns) for name, columns in decides.items()},
            row_decides=None if row_decides is None else tuple((number, column) for number, column in row_decides),
            sites_elsewhere=tuple(cast("list[int]", content.get("elsewhere", []))),
            is_one_way=bool(content.get("one way", False)),
            inputs=cast("Mapping[DatasetId, str]", content.get("inputs", {})),
        )


def document_of(
    plan: Step, columns: ColumnMap, names: Mapping[str, int], known: tuple[Site, ...], limits: Limits
) -> CaveatDocument:
    """The document of a plan whose result calls the column of each id by a name."""
    uses = {name: columns.values.get(column, frozenset()) for name, column in names.items()}
    decisions = decides_for(plan)
    found = {name: deciding_uses(each, decisions) for name, each in uses.items()}
    decides = {name: each for name, each in found.items() if each is not None}
    row_decides = deciding_uses(columns.row, decisions)
    return CaveatDocument(
        _extent(plan),
        {name: tuple(sites) for name, each in uses.items() if (sites := notes(each | decides.get(name, each), known))},
        tuple(notes(columns.row | (row_decides or frozenset()), known)),
        origins=limits.by_number,
        decides={name: _columns(each) for name, each in decides.items()},
        row_decides=None if row_decides is None else _columns(row_decides),
        sites_elsewhere=tuple(notes(frozenset().union(row_decides or (), *decides.values()), known)),
        is_one_way=_is_one_way(plan),
    )


def _columns(uses: Uses) -> tuple[tuple[int, str], ...]:
    return tuple(sorted({(use.source, use.column) for use in uses if use.source != NOWHERE}))


def _extent(plan: Step) -> Extent:
    if any(step.traits.row_depends_on == "unknown" for step in plan.walk()):
        return "all"
    depends = {step.traits.row_depends_on for step in _row_steps(plan)}
    if "any rows" in depends:
        return "any"
    return "groups" if "group" in depends else "rows"


def _is_one_way(plan: Step) -> bool:
    """Whether each source row goes into one result row at most: no joins, no copies and no groups of groups."""
    # A row that leaves an inner group can move that group into another outer one.
    steps = list(plan.walk())
    return all(step.traits.is_one_way for step in steps) and sum(step.traits.groups_rows for step in steps) <= 1


def _row_steps(plan: Step) -> Iterator[Step]:
    """Yield the steps that rows pass through; windows and subqueries, which only add cells, are left out."""
    if plan.traits.row_depends_on == "as below":
        yield from _row_steps(plan.inputs[0])
        return
    yield plan
    for step in plan.inputs:
        yield from _row_steps(step)


def part_name(site: int, part: int) -> str:
    """The file that tells, for one site, the source rows of its caveats."""
    return f"site{site}.part{part}"
