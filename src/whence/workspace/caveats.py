"""`ds.caveats`: the doubt flags of a dataset version and the caveats behind them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.caveats.facts import Impact, ReportFacts, gather, impact_of
from whence.caveats.place_values import SupposedValues
from whence.caveats.report_html import to_html
from whence.caveats.report_markdown import to_markdown
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import UserError
from whence.store.durable import writing
from whence.workspace.cell_bounds import CellBounds, cell_bounds
from whence.workspace.checked import RowIds, checked_column, checked_row, row_ids
from whence.workspace.column_widths import ColumnWidth, column_widths
from whence.workspace.context import Context
from whence.workspace.most_guessed import most_guessed
from whence.workspace.notes import ground_notes
from whence.workspace.references import version_of
from whence.workspace.supposed_result import SupposedResult, suppose
from whence.workspace.width_parts import ColumnDoubt, WidthPart, column_doubts, width_parts

_FORMS: dict[str, Callable[[ReportFacts], str]] = {".html": to_html, ".md": to_markdown}


class DatasetCaveats:
    """Doubt flags (`marks` in the public API) and caveats of one dataset version."""

    def __init__(self, context: Context, record: DatasetRecord) -> None:
        self._context = context
        self._record = record

    def marks(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """Return a boolean for each cell, and for each row in `_row`, in rid order: True where it is in doubt.

        >>> doubtful = ws.create("doubtful", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
        >>> doubtful.caveats.marks().to_pylist()
        [{'x': False, '_row': False}, {'x': True, '_row': False}]
        """
        end = self._record.rows if stop is None else stop
        return self._context.readers.flags.table(self._record, start, end)

    def marks_of(self, rids: RowIds) -> pa.Table:
        """Return the doubt flags of these rows, in the order given.

        >>> spotted = ws.create("spotted", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
        >>> spotted.caveats.marks_of([1, 0]).column("x").to_pylist()
        [True, False]
        """
        return self._context.readers.flags.of(self._record, row_ids(rids))

    @property
    def doubt(self) -> Doubt:
        """The columns with a doubtful cell, and whether any row is in doubt. Acknowledged caveats do not count.

        >>> torn_list = ws.create("torn_list", [(1, 2)], schema="x int, y int", cell_caveats=[(0, "y", "torn")])
        >>> sorted(torn_list.caveats.doubt.columns)
        ['y']
        """
        return self._context.readers.flags.doubt(self._record)

    @property
    def row_set(self) -> bool:
        """True if a row that is absent might belong here."""
        return self.doubt.row_set

    def bounds(self, row: int, column: str) -> CellBounds:
        """Return between which values a cell lies, as `low, best, high`; an end that is None is not known.

        They follow from the ranges that caveats state, and hold as far as those do. `may_be_missing` says whether the
        cell could be NULL, and `why` why an end is not known. A cell that is not in doubt is its own low and high end.

        >>> paid = ws.create(
        ...     "paid", [("a", 100), ("a", 36), ("b", 5)], schema="k string, x int",
        ...     cell_caveats=[(1, "x", "36 or 86", (36, 86))],
        ... )
        >>> totals = ws.sql("select k, sum(x) as total from paid group by k order by k", name="totals")
        >>> low, best, high = totals.caveats.bounds(0, "total")
        >>> low, best, high
        (136, 136, 186)
        >>> print(totals.caveats.bounds(0, "total"))
        136 (between 136 and 186)
        """
        return cell_bounds(
            self._context, self._record, checked_row(self._record, row), checked_column(self._record, column)
        )

    def widths(self) -> Sequence[ColumnWidth]:
        """Return how wide the bounds of each column with doubtful cells are, as shares of the values in the cells.

        >>> weighed = ws.create(
        ...     "weighed", [(100,), (40,)], schema="grams int",
        ...     cell_caveats=[(0, "grams", "a worn scale", (90, 110)), (1, "grams", "a worn scale", (30, 50))],
        ... )
        >>> (grams,) = weighed.caveats.widths()
        >>> grams.widest, grams.row, str(grams)
        (0.5, 1, 'at widest 50.00% of the value')
        """
        return column_widths(self._context, self._record)

    def width_parts(self, row: int, column: str) -> Sequence[WidthPart]:
        """Return the caveats that make a cell's bounds as wide as they are, those that make most of it first.

        Each says how much narrower the bounds are if it alone is accepted, and what they are if it and all before it
        are. The query runs once or twice for each caveat, or for each group of them if there are more than twenty.

        >>> tallied = ws.create(
        ...     "tallied", [(100,), (36,), (1,)], schema="x int",
        ...     cell_caveats=[(1, "x", "36 or 86", (36, 86)), (2, "x", "1 or 2", (1, 2)), (0, "x", "stain", (98, 101))],
        ... )
        >>> tally = ws.sql("select sum(x) as total from tallied", name="tally")
        >>> print(tally.caveats.bounds(0, "total"))
        137 (between 135 and 189)
        >>> for part in tally.caveats.width_parts(0, "total"):
        ...     print(part)
        36 or 86 (93% of the width): accepted, with all before it, 137 (between 135 and 139)
        stain (6% of the width): accepted, with all before it, 137 (between 137 and 138)
        1 or 2 (2% of the width): accepted, with all before it, 137
        """
        return width_parts(
            self._context, self._record, checked_row(self._record, row), checked_column(self._record, column)
        )

    def narrow(self, column: str) -> Sequence[ColumnDoubt]:
        """Return the caveats behind a column, those that are best resolved first at the top.

        Each says how much it takes away, alone, from the widths of the column's cells in sum. Caveats that leave cells
        without bounds come first.

        >>> tons = ws.create(
        ...     "tons", [("a", 5), ("a", 3), ("b", 7)], schema="k string, x int",
        ...     cell_caveats=[(0, "x", "5 or 6", (5, 6)), (2, "x", "blotted", (1, 9))],
        ... )
        >>> by_k = ws.sql("select k, sum(x) as x from tons group by k", name="tons_by_k")
        >>> for doubt in by_k.caveats.narrow("x"):
        ...     print(doubt)
        blotted: takes away 8; leaves 1
        5 or 6: takes away 1; leaves 0
        """
        return column_doubts(self._context, self._record, checked_column(self._record, column))

    def what_if(self, values: SupposedValues) -> SupposedResult:
        """Return what this dataset would hold if doubtful values were others; nothing is stored.

        `values` names groups of `list`, or single references of such a group, each with the value to put in all its
        cells. The queries from there down to this dataset run again.

        >>> scores = ws.create(
        ...     "scores", [("a", 10), ("a", 36), ("b", 5)], schema="k string, x int",
        ...     cell_caveats=[(1, "x", "36 or 86", (36, 86))],
        ... )
        >>> means = ws.sql("select k, avg(x) as mean from scores group by k order by k", name="means")
        >>> (group,) = means.caveats.list(row=0, column="mean")
        >>> supposed = means.caveats.what_if({group: 86})
        >>> supposed.gone.to_pylist(), supposed.new.to_pylist()
        ([{'k': 'a', 'mean': 23.0}], [{'k': 'a', 'mean': 48.0}])
        """
        return suppose(self._context, self._record, values)

    @property
    def bounds_at_hand(self) -> bool:
        """True if bounds can be told without running the query once more.

        >>> ws.create("sure", [(1,)], schema="x int").caveats.bounds_at_hand
        True
        """
        return self._context.readers.bounds.are_at_hand(self._record)

    def list(self, row: int | None = None, column: str | None = None) -> list[CaveatGroup]:
        """Return the caveats behind the doubt flags of the dataset, a row, a column or a cell, in groups.

        >>> given = ws.create("given", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
        >>> [(group.message, group.count) for group in given.caveats.list(row=1)]
        [('smudged', 1)]
        """
        if row is not None:
            row = checked_row(self._record, row)
        if column is not None:
            column = checked_column(self._record, column)
        return self._context.readers.reasons.of(self._record, row, column)

    def stream(self, row: int | None = None, column: str | None = None) -> Iterator[CaveatGroup]:
        """Yield the groups of `list` one at a time, as they are found."""
        return self._context.readers.reasons.stream(self._record, row, column)

    def new_since(self, *earlier: object) -> Sequence[CaveatGroup]:
        """Return the caveats behind this dataset that none of the earlier ones has, in groups.

        `earlier` names versions of this dataset by number, or any datasets. The same doubt about the same row is not
        new, even if the data was loaded again and the row has another position.

        >>> old = ws.create("list", [(1,), (2,)], schema="x int", cell_caveats=[(0, "x", "torn")])
        >>> doubts = [(2, "x", "torn"), (0, "x", "smudged")]
        >>> new = ws.create("list", [(3,), (2,), (1,)], schema="x int", cell_caveats=doubts)
        >>> [(group.message, group.count) for group in new.caveats.new_since(1)]
        [('smudged', 1)]
        """
        store, name = self._context.store, self._record.name
        records = [store.version(name, each) if isinstance(each, int) else version_of(store, each) for each in earlier]
        return self._context.news.since([self._record], records)[0]

    def impact(self, group: CaveatGroup) -> Impact:
        """Count the cells and rows of this dataset that the caveats of a group may have changed.

        >>> torn = ws.create("torn", [(1, 5), (2, 6)], schema="x int, y int", cell_caveats=[(1, "x", "smudged")])
        >>> torn.caveats.impact(torn.caveats.list()[0]).by_column
        (('x', 1),)
        """
        return impact_of(self._record, self._context.readers.flags, group)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write a report for a colleague as `.html` or `.md`: what was assumed, where, and how much depends on it.

        >>> told = ws.create("told", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
        >>> told.caveats.report("told.md")
        >>> Path("told.md").read_text().splitlines()[2]
        'In told@1 1 (50 %) of its cells and 0 of its rows are in doubt.'
        """
        form = _FORMS.get(Path(path).suffix.lower())
        if form is None:
            raise UserError(f"A caveat report cannot be written as {Path(path).name}.", "End its name in .html or .md.")
        readers, written = self._context.readers, ground_notes(self._context, self._record)
        guessed = map(str, most_guessed(self._context, [self._record]))
        facts = gather(self._record, readers.flags, readers.reasons, readers.trace, written=written, guessed=guessed)
        with writing(Path(path)):
            Path(path).write_text(form(facts), encoding="utf-8", newline="\n")

    def acknowledge(self, group: CaveatGroup | str, note: str = "") -> None:
        """Acknowledge the caveats of a group from `list`, or all of a family behind this dataset, with a reason.

        They stay listed but flag nothing any more, here and in every dataset they reach. This also holds after the data
        is made or loaded again. `revoke` undoes it.

        >>> seen = ws.create("seen", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
        >>> (group,) = seen.caveats.list()
        >>> seen.caveats.acknowledge(group, note="checked against the paper form")
        >>> seen.caveats.marks().column("x").to_pylist(), seen.caveats.list()[0].note
        ([False, False], 'checked against the paper form')
        """
        for record, places in self._places_of(group):
            self._context.readers.flags.acknowledge(record, places, note)

    def revoke(self, group: CaveatGroup | str) -> None:
        """Undo `acknowledge`: the caveats flag cells and rows again.

        >>> unsure = ws.create("unsure", [(1,)], schema="x int", cell_caveats=[(0, "x", "smudged")])
        >>> unsure.caveats.acknowledge("user")
        >>> unsure.caveats.revoke("user")
        >>> unsure.caveats.marks().column("x").to_pylist()
        [True]
        """
        for record, places in self._places_of(group):
            self._context.readers.flags.revoke(record, places)

    def __repr__(self) -> str:
        return f"<Caveats of {self._record.label}>"

    def _places_of(self, group: CaveatGroup | str) -> Iterator[tuple[DatasetRecord, npt.NDArray[np.int64]]]:
        """Yield the dataset version and the caveat numbers of a group, or of every group of a family."""
        groups = [group] if isinstance(group, CaveatGroup) else [g for g in self.list() if g.family == group]
        if not groups:
            families = ", ".join(sorted({each.family for each in self.list()})) or "none"
            raise UserError(
                f"No caveat behind {self._record.label} is of the family {group}.", f"There are: {families}."
            )
        for each in groups:
            if each.dataset is None:
                raise UserError("This group of caveats does not say where it is from.", "Take one of caveats.list().")
            yield self._context.store.by_id(each.dataset), np.array(each.places, dtype=np.int64)
