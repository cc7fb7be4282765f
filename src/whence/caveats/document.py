"""What is written down about the caveats a dataset's own query raised: which columns each site reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from whence.plan.columnmap import ColumnMap
from whence.plan.limits import Limits
from whence.plan.sites import Site, notes
from whence.plan.step import Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.anti_join import AntiJoin
from whence.plan.steps.copies import Copies
from whence.plan.steps.distinct import Distinct
from whence.plan.steps.filter import Filter
from whence.plan.steps.generate import Generate
from whence.plan.steps.given_rows import GivenRows
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.limit import Limit
from whence.plan.steps.offset import Offset
from whence.plan.steps.one_row import OneRow
from whence.plan.steps.outer_join import OuterJoin
from whence.plan.steps.project import Project
from whence.plan.steps.repartition import Repartition
from whence.plan.steps.sample import Sample
from whence.plan.steps.scan import Scan
from whence.plan.steps.sort import Sort
from whence.plan.steps.union_all import UnionAll

NAME = "caveats"

Extent = Literal["rows", "groups", "any", "all", "inferred"]
"""What becomes of a row depends on the rows it was made from alone; on what else might have been in its group, too; on
any rows, as after a limit or an outer join; or on anything at all, as far as is known here. Where lineage was inferred,
copies depend on what they copy, and all else on anything that was read."""

_ROW_BY_ROW = (Scan, Project, Filter, InnerJoin, UnionAll, Sort, Repartition, OneRow, GivenRows)
_GROUPS = (*_ROW_BY_ROW, Aggregate, Distinct)
_ANY = (*_GROUPS, OuterJoin, AntiJoin, Limit, Offset, Sample, Generate, Copies)


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

    def column_of(self, site: int) -> str | None:
        """The one column a site reaches; None where it reaches several, or decides on rows."""
        reached = [name for name, numbers in self.columns.items() if site in numbers]
        return reached[0] if len(reached) == 1 and site not in self.row else None

    def decides_elsewhere(self, site: int | None) -> bool:
        """A caveat of this site can reach rows that were not made from the one it was raised on."""
        return self.extent == "all" or (self.extent != "rows" and site in self.row)

    def to_json(self) -> dict[str, object]:
        """As a JSON document."""
        return {
            "extent": self.extent,
            "columns": {name: list(numbers) for name, numbers in self.columns.items()},
            "row": list(self.row),
            "parts": {str(number): count for number, count in self.parts.items()},
            "origins": {str(number): origin for number, origin in self.origins.items()},
        }

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> CaveatDocument:
        """From a JSON document."""
        columns = cast("Mapping[str, list[int]]", content["columns"])
        parts, origins = (cast("Mapping[str, int]", content[name]) for name in ("parts", "origins"))
        return cls(
            cast(Extent, content["extent"]),
            {name: tuple(numbers) for name, numbers in columns.items()},
            tuple(cast("list[int]", content["row"])),
            {int(number): count for number, count in parts.items()},
            {int(number): origin for number, origin in origins.items()},
        )


def document_of(
    plan: Step, columns: ColumnMap, names: Mapping[str, int], known: tuple[Site, ...], limits: Limits
) -> CaveatDocument:
    """The document of a plan whose result calls the column of each id by a name."""
    uses = {name: columns.values.get(column, frozenset()) for name, column in names.items()}
    return CaveatDocument(
        _extent(plan),
        {name: tuple(found) for name, each in uses.items() if (found := notes(each, known))},
        tuple(notes(columns.row, known)),
        origins=limits.by_number,
    )


def _extent(plan: Step) -> Extent:
    steps = list(plan.walk())
    if all(isinstance(step, _ROW_BY_ROW) for step in steps):
        return "rows"
    if all(isinstance(step, _GROUPS) for step in steps):
        return "groups"
    return "any" if all(isinstance(step, _ANY) for step in steps) else "all"


def part_name(site: int, part: int) -> str:
    """The file that tells, for one site, the source rows of its caveats."""
    return f"site{site}.part{part}"
