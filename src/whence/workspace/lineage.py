"""`ds.lineage`: where rows and cells came from, and where they went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.arrays.arrays import form_of
from whence.arrays.places import Place, to_ids
from whence.lineage.cell_refs import CellRefs
from whence.lineage.columns import Columns
from whence.lineage.derivations import Derivations
from whence.lineage.explain import explain
from whence.lineage.refresh import Refresh
from whence.lineage.selection import Selection
from whence.lineage.way import WayCell, Ways
from whence.lineage.what_if import Outcome, WhatIf
from whence.lineage.why_not import WhyNot
from whence.model.cellref import ColumnRef, RowRef
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.lazy_module import LazyModule
from whence.workspace.checked import RowIds, checked_column, checked_row, checked_rows
from whence.workspace.context import Context
from whence.workspace.each_rows import EachRows
from whence.workspace.prepared import Prepared, every_prepared, prepare
from whence.workspace.rows import Rows
from whence.workspace.where_it_went import WhereItWent

if TYPE_CHECKING:
    import whence.workspace.saved_origins as saved_origins
else:
    saved_origins = LazyModule("whence.workspace.saved_origins")

Ids = npt.NDArray[np.int64]
RowsLike = int | Iterable[int | Place] | Rows
Questions = int | Iterable[int | Iterable[int] | Rows]


class DatasetLineage:
    """Lineage questions about one dataset version."""

    def __init__(self, context: Context, record: DatasetRecord) -> None:
        self._context = context
        self._record = record

    def backward(
        self,
        rows: RowsLike | None = None,
        to: object = None,
        *,
        where: str | None = None,
        path: Sequence[str] = (),
        influence: bool = False,
    ) -> Rows:
        """Return the rows of `to` that these rows were made from, however many steps back.

        `influence=True` adds rows that only influenced the result: those in a subquery of a filter, those in which an
        anti join found no match, and those from which a limit chose.

        >>> orders = ws.create("orders", [("a", 1), ("b", 2), ("a", 3)], schema="k string, x int")
        >>> totals = ws.sql("select k, sum(x) s from orders group by k order by k", name="totals")
        >>> totals.lineage.backward([0], to="orders").ids.tolist(), totals.lineage.backward(1, to="orders").ids.tolist()
        ([0, 2], [1])
        """
        target, chosen = self._ancestor(to), self._select(rows, where)
        # The planner of a lineage budget counts questions, and stores the lineage that answers the frequent ones.
        self._context.background.planner.workload.see(self._record, target, "backward")
        found = self._context.readers.trace.backward(self._record, chosen, target, path, influence=influence)
        return Rows(self._context, target, found)

    def forward(
        self,
        rows: RowsLike | None = None,
        to: object = None,
        *,
        where: str | None = None,
        path: Sequence[str] = (),
        influence: bool = False,
    ) -> Rows:
        """Return the rows of `to` that were made from these rows. `influence=True` adds the rows they influenced.

        >>> numbers = ws.create("numbers", [(1,), (2,), (3,)], schema="x int")
        >>> large = ws.sql("select x from numbers where x > 1", name="large")
        >>> numbers.lineage.forward([0, 2], to="large").to_arrow().to_pylist()
        [{'x': 3}]
        """
        target, chosen = self._descendant(to), self._select(rows, where)
        self._context.background.planner.workload.see(self._record, target, "forward")
        found = self._context.readers.trace.forward(self._record, chosen, target, path, influence=influence)
        return Rows(self._context, target, found)

    def backward_each(self, rows: Questions, to: object = None, *, path: Sequence[str] = ()) -> EachRows:
        """Answer several `backward` questions at once: for each row, or each set of rows, the rows of `to` behind it.

        >>> sales = ws.create("sales", [("n", 1), ("s", 2), ("n", 3)], schema="k string, x int")
        >>> sums = ws.sql("select k, sum(x) s from sales group by k order by k", name="sums")
        >>> each = sums.lineage.backward_each([0, 1, [0, 1]], to="sales")
        >>> [rows.ids.tolist() for rows in each], each.counts.tolist()
        ([[0, 2], [1], [0, 1, 2]], [2, 1, 3])
        """
        target, asked = self._ancestor(to), _each(rows)
        pairs = self._context.readers.trace.backward_each(self._record, *self._questions(asked), target, path)
        return EachRows(self._context, target, asked, pairs)

    def forward_each(self, rows: Questions, to: object = None, *, path: Sequence[str] = ()) -> EachRows:
        """Answer several `forward` questions at once: for each row, or each set of rows, the rows of `to` made from it.

        >>> words = ws.create("words", [("a",), ("b",)], schema="w string")
        >>> pairs = ws.sql("select l.w, r.w as v from words l join words r on l.w <= r.w", name="pairs")
        >>> words.lineage.forward_each([0, 1], to="pairs").counts.tolist()
        [2, 2]
        """
        target, asked = self._descendant(to), _each(rows)
        pairs = self._context.readers.trace.forward_each(self._record, *self._questions(asked), target, path)
        return EachRows(self._context, target, asked, pairs)

    def which(self, row: int) -> dict[str, Rows]:
        """Return the rows of each direct input that a row was made from, by the label of the input.

        >>> a, b = ws.create("a", [(1,), (2,)], schema="x int"), ws.create("b", [(2,)], schema="y int")
        >>> both = ws.sql("select x from a join b on x = y", name="both")
        >>> {name: rows.ids.tolist() for name, rows in both.lineage.which(0).items()}
        {'a@1': [1], 'b@1': [0]}
        """
        parents = dict.fromkeys(self._context.readers.edges.sources(self._record))  # a self-join names a source twice
        records = [self._context.readers.edges.record(parent) for parent in parents]
        return {each.label: self.backward([row], to=each) for each in records}

    def why(self, row: int, most: int = 1000) -> list[list[RowRef]]:
        """Return the witnesses of a row: sets of input rows, each of which alone gives the row (or its group).

        Rows that only a window function read are in no witness, as a window adds a value to a row that is there
        already. `backward` and `cell` list them.

        >>> left = ws.create("left_", [(1, "a"), (1, "b")], schema="k int, x string")
        >>> right = ws.create("right_", [(1, 5), (1, 6)], schema="k int, y int")
        >>> n = ws.sql("select count(*) n from left_ join right_ using (k) where y = 5", name="n")
        >>> [[(ref.dataset, ref.row) for ref in each] for each in n.lineage.why(0)]
        [[('left_', 0), ('right_', 0)], [('left_', 1), ('right_', 0)]]
        """
        sources = [
            self._context.readers.edges.record(each) for each in self._context.readers.edges.sources(self._record)
        ]
        found = Derivations(self._context.readers.edges).why(self._record, checked_row(self._record, row), most)
        return [[RowRef(sources[n].name, sources[n].version, rid) for n, rid in each] for each in found]

    def count(self, row: int) -> int:
        """Return in how many ways a row was made from rows of its direct inputs.

        >>> coins = ws.create("coins", [(1,), (1,), (2,)], schema="x int")
        >>> ws.sql("select distinct x from coins order by x", name="kinds").lineage.count(0)
        2
        """
        return Derivations(self._context.readers.edges).count(self._record, checked_row(self._record, row))

    def refresh(self, rows: RowsLike | None = None, *, where: str | None = None) -> pa.Table:
        """Recompute rows by running the query on only the rows they were made from. The result is in id order.

        >>> prices = ws.create("prices", [("a", 1), ("b", 2), ("a", 3)], schema="k string, x int")
        >>> sums = ws.sql("select k, sum(x) s from prices group by k order by k", name="price_sums")
        >>> sums.lineage.refresh([0]).to_pylist()
        [{'k': 'a', 's': 4}]
        """
        refresh = Refresh(self._context.store, self._context.readers.edges, self._context.readers.rerun)
        return refresh.rows(self._record, self._select(rows, where))[1]

    def without(self, rows: Rows | RowIds, of: object = None) -> Outcome:
        """Return the rows that would change if some rows of a direct input were not there, before and after.

        whence computes counts, sums, averages and variances of plain columns by arithmetic over the lineage. For
        everything else it runs the query again on the rows that are left.

        >>> bills = ws.create("bills", [("a", 1), ("b", 2), ("a", 3)], schema="k string, x int")
        >>> sums = ws.sql("select k, sum(x) s from bills group by k order by k", name="bill_sums")
        >>> less = sums.lineage.without([2], of="bills")
        >>> less.before.to_pylist(), less.after.to_pylist(), less.how
        ([{'k': 'a', 's': 4}], [{'k': 'a', 's': 1}], 'arithmetic')
        """
        target = rows.record if isinstance(rows, Rows) else self._ancestor(of)
        chosen = rows.selection if isinstance(rows, Rows) else Selection.of(checked_rows(target, rows), target.rows)
        what_if = WhatIf(self._context.store, self._context.readers.edges, self._context.readers.rerun)
        return what_if.without(self._record, target, chosen)

    def why_not(self, source: object, row: int) -> WhereItWent:
        """Return the rows that a source row went into, or the step and the condition that left it out.

        >>> items = ws.create("items", [("a", 1), ("b", 20)], schema="k string, x int")
        >>> cheap = ws.sql("select k from items where x < 10", name="cheap")
        >>> print(cheap.lineage.why_not("items", 1))
        Row 1 of items@1 did not get into cheap@1: the condition does not hold [(items.x < 10)] (x = 20).
        """
        target = self._ancestor(source)
        context = self._context
        asking = WhyNot(
            context.store, context.engine, context.readers.edges, context.readers.trace, context.readers.rerun
        )
        fate = asking.fate(self._record, target, checked_row(target, row))
        return WhereItWent(target, row, Rows(context, self._record, fate.rows), fate)

    def prepare(
        self, to: object = None, *, by: Sequence[str] = (), measures: Sequence[str] = (), where: str | None = None
    ) -> Prepared:
        """Sort lineage by attributes of `to` and add up measures, so that later filters and totals read no rows.

        `by` names columns, or expressions such as `year(day)`. `where` leaves out rows that no question will be about.
        whence stores the result with the dataset: the same call in a later session reads it back.
        """
        return prepare(self._context, self._record, self._ancestor(to), by=by, measures=measures, where=where)

    def prepared(self) -> list[Prepared]:
        """Return everything that `prepare` stored for this dataset, in this session or an earlier one.

        >>> pets = ws.create("pets", [("cat", "in", 2), ("cat", "out", 1)], schema="kind string, place string, n int")
        >>> counts = ws.sql("select kind, sum(n) s from pets group by kind", name="counts")
        >>> _ = counts.lineage.prepare(to="pets", by=["place"], measures=["n"])
        >>> [(ready, ready.totals([0], place="in")["sum(n)"].to_pylist()) for ready in counts.lineage.prepared()]
        [(<rows of pets@1 behind counts@1 by place, totals of n>, [2])]
        """
        return every_prepared(self._context, self._record)

    def pairs(self, to: object = None) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the whole lineage to `to` as two arrays, (row, row of `to`): each pair once, sorted."""
        return self._context.readers.trace.pairs(self._record, self._ancestor(to))

    def saved(self, rows: RowsLike | None = None, *, where: str | None = None) -> pa.Table:
        """Return the source rows that were written beside the Delta or Iceberg table that this dataset was loaded from.

        Each line names a row, the source as it was called where the table was saved, its file and row there, the line
        of the file, and a hash of the source row's values. There are no lines if `save` wrote none.
        """
        chosen = self._select(rows, where).ids
        return saved_origins.saved_origins(self._context.store, self._context.readers.edges, self._record, chosen)

    def cell(self, row: int, column: str, to: object = None) -> CellRefs:
        """Return the input cells behind one cell, each with its role. `to="sources"` goes back to what was loaded.

        The result behaves as a list of CellRef. Its length is known at once, and a value is read when it is accessed.

        >>> pairs = ws.create("pairs", [("a", 1), ("a", 2)], schema="k string, x int")
        >>> summed = ws.sql("select k, sum(x) s from pairs group by k", name="summed")
        >>> [(ref.row, ref.column, ref.role, ref.value) for ref in summed.lineage.cell(0, "s")][:2]
        [(0, 'x', 'aggregated', 1), (1, 'x', 'aggregated', 2)]
        """
        row, column = checked_row(self._record, row), checked_column(self._record, column)
        cells = self._context.readers.cells
        if to is None:
            found = cells.inputs(self._record, row, column)
        else:
            found = cells.at(self._record, row, column, self._targets(to))
        return cells.with_values(found)

    def column(self, column: str, to: object = None) -> list[ColumnRef]:
        """Return the input columns that a column was made from, each with its role, for all rows; `to` as for `cell`.

        >>> work = ws.create("work", [("a", 1, 2)], schema="who string, hours int, pay int")
        >>> paid = ws.sql("select who, sum(hours * pay) wage from work where hours > 0 group by who", name="paid")
        >>> [(ref.column, ref.role) for ref in paid.lineage.column("wage")]
        [('hours', 'aggregated'), ('pay', 'aggregated'), ('who', 'grouped')]
        """
        column = checked_column(self._record, column)
        columns = Columns(self._context.readers.edges)
        if to is None:
            return columns.to_refs(columns.inputs(self._record, column))
        return columns.to_refs(columns.at(self._record, column, self._targets(to)))

    def way(self, row: int, column: str, most: int = 3) -> WayCell:
        """Return the way back from a cell as a tree of cells with roles and values.

        The tree lists at most `most` cells of each column at each step.

        >>> days = ws.create("days", [("a", 1), ("a", 2)], schema="k string, x int")
        >>> sums = ws.sql("select k, sum(x) s from days group by k", name="day_sums")
        >>> tops = ws.sql("select max(s) top from day_sums", name="tops")
        >>> (step,) = tops.lineage.way(0, "top").inputs
        >>> [(input.cells[0].cell.role, input.cells[0].cell.value, input.count) for input in step.cells[0].inputs]
        [('aggregated', 1, 2), ('grouped', 'a', 2)]
        """
        row, column = checked_row(self._record, row), checked_column(self._record, column)
        context = self._context
        readers = context.readers
        ways = Ways(context.store, readers.edges, readers.cells, origins=context.origins, flags=readers.flags)
        return ways.back(self._record, row, column, most)

    def origin(self, row: int, column: str) -> str:
        """Return where the value of a cell was written, if it stands on no data; else an empty text.

        >>> fixed = ws.sql("select 'US-East' as region,\\n 142050 as sales", name="fixed")
        >>> fixed.lineage.origin(0, "sales")
        'written in the query, line 2'
        """
        row, column = checked_row(self._record, row), checked_column(self._record, column)
        value = self._context.store.take(self._record, [row], [column]).column(0)[0].as_py()
        return self._context.origins.describe(self._record, row, column, value)

    def explain(self) -> str:
        """Describe how whence captured this lineage: the plan before and after it added row ids, block and indexes.

        Where values are in doubt, the plan with doubt flags follows.

        >>> ws.create("ones", [(1,), (2,)], schema="x int").count
        2
        >>> print(ws.sql("select x from ones where x > 1", name="more").lineage.explain().splitlines()[0])
        The plan as Spark understood it:
        """
        context = self._context
        return explain(context.engine, context.readers.edges, context.readers.rerun, self._record)

    def wait(self) -> None:
        """Wait until the lineage of this dataset is captured. Capture that was deferred happens now."""
        self._context.background.queue.finish(self._record)

    @property
    def exact(self) -> bool:
        """Whether the lineage is exact.

        It is not if it is coarse, if rows of a source were not traced, or if a model was fitted on rows that the query
        does not show.
        """
        document = self._context.readers.edges.document(self._record)
        return document is None or (document.is_exact and not document.pruned_sources and not document.fitted_models)

    @property
    def grounded(self) -> bool:
        """Whether every cell stands on data; False if a query on the way wrote a value into it as a constant.

        `grounds` says which cells do not.

        >>> regions = ws.sql("select 'US-East' as region, 142050 as sales", name="regions")
        >>> orders = ws.create("orders", [("a", 10.0)], schema="k string, price double")
        >>> gross = ws.sql("select k, price * 1.19 as gross from orders", name="gross")
        >>> regions.lineage.grounded, orders.lineage.grounded, gross.lineage.grounded
        (False, True, True)
        """
        return self._context.readers.grounds.of(self._record).is_grounded

    def grounds(self) -> pa.Table:
        """Return what each cell stands on, in row id order: `data`, `written` in a query, or `partly` written.

        >>> seen = ws.create("seen", [("a", 3)], schema="k string, n int")
        >>> padded = ws.sql("select k, n from seen union all select 'b', 142050 order by k", name="padded")
        >>> padded.lineage.grounds().to_pylist()
        [{'k': 'data', 'n': 'data'}, {'k': 'written', 'n': 'written'}]
        """
        return self._context.readers.grounds.of(self._record).to_table(self._record)

    @property
    def strategy(self) -> str:
        """The sentence that says how lineage was captured, and why that way."""
        document = self._context.readers.edges.document(self._record)
        return "source: this dataset was loaded or created." if document is None else document.strategy

    def __repr__(self) -> str:
        parents = ", ".join(self._context.store.by_id(parent).label for parent in self._record.parents)
        return f"<Lineage of {self._record.label}, from {parents or 'no dataset'}>"

    def _questions(self, asked: Sequence[int | Iterable[int] | Rows]) -> tuple[Ids, Ids]:
        """Return the questions as two aligned arrays: the number of the question, and a row it asks about."""
        is_array = form_of(self._context.store, self._record) is not None
        one = (int, np.integer, tuple) if is_array else (int, np.integer)  # a tuple is one cell
        sets: list[Any] = [[each] if isinstance(each, one) else each for each in asked]
        chosen = [self._select(each, None).ids for each in sets]
        numbers = np.repeat(np.arange(len(chosen), dtype=np.int64), [len(each) for each in chosen])
        return numbers, np.concatenate(chosen) if chosen else np.empty(0, dtype=np.int64)

    def _select(self, rows: RowsLike | None, where: str | None) -> Selection:
        """Return the chosen rows, which the user passes either as ids or as a SQL condition."""
        if (rows is None) == (where is None):
            raise UserError("Say which rows, either as ids or with where=.", "For example: backward([0, 5], to=...)")
        if where is not None:
            ids = np.array(self._context.engine.rids_where(self._record, where), dtype=np.int64)
            return Selection.of_sorted(ids, self._record.rows)
        if isinstance(rows, Rows):
            return self._same_dataset(rows).selection
        form = form_of(self._context.store, self._record)
        if form is not None:
            return Selection.of(to_ids(() if rows is None else rows, form.shape, self._record.label), form.cells)
        given = cast(RowIds, () if rows is None else rows)
        return Selection.of(checked_rows(self._record, given), self._record.rows)

    def _same_dataset(self, rows: Rows) -> Rows:
        if rows.record.id != self._record.id:
            raise UserError(f"These are rows of {rows.record.label}, not of {self._record.label}.")
        return rows

    def _targets(self, to: object) -> set[DatasetId]:
        if to != "sources":
            return {self._ancestor(to).id}
        ancestors = self._context.readers.trace.ancestors(self._record)
        return {each.id for each in ancestors if self._context.readers.edges.document(each) is None}

    def _ancestor(self, to: object) -> DatasetRecord:
        return self._context.readers.targets.ancestor(self._record, to)

    def _descendant(self, to: object) -> DatasetRecord:
        return self._context.readers.targets.descendant(self._record, to)


def _each(rows: Questions) -> list[int | Iterable[int] | Rows]:
    """Return one entry for each question. A single row number is one question."""
    return [int(rows)] if isinstance(rows, int | np.integer) else list(rows)
