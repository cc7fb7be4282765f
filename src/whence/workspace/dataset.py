"""`Dataset`: the handle of one dataset version, with its rows, lineage, caveats, charts and reports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack, overload

import pyarrow as pa

from whence.derive.state import Statement, state
from whence.engine.sql_functions import End
from whence.engine.tables import save_table
from whence.lineage.dependencies import dependency, key_candidates
from whence.lineage.rowkeys import as_texts
from whence.loading.report import LoadReport, load_report
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UserError, WhenceError
from whence.model.lazy_module import LazyModule
from whence.model.plural import counted
from whence.model.schema import LINE_COLUMN, Schema
from whence.notebook.sheet.report import SheetReport, sheet_report
from whence.store.forgotten import ForgottenRecord
from whence.store.profile import Profile
from whence.store.sampling import sample_rids
from whence.store.views import SortLike, View, WhereLike
from whence.transformations.report import LensReport, lens_report
from whence.workspace.caveats import DatasetCaveats
from whence.workspace.cell_bounds import with_bounds
from whence.workspace.checked import RowIds, checked_column, checked_rows, row_ids
from whence.workspace.context import Context
from whence.workspace.dataset_html import FIRST_ROWS, CellLooks, dataset_html
from whence.workspace.dependencies import FunctionalDependency
from whence.workspace.describe import describe_profiles
from whence.workspace.frame_origin import mark_frame, mark_table
from whence.workspace.lineage import DatasetLineage
from whence.workspace.notes import dataset_notes, notes_at_hand
from whence.workspace.rows import Rows

if TYPE_CHECKING:
    import pandas as pd

    import whence.charts.suggest as chart_suggestions
    import whence.workspace.chart as charts
    import whence.workspace.explain as explaining
    import whence.workspace.question as questions
    import whence.workspace.save_table_format as table_formats
    from whence.charts.suggest import ChartSuggestion
    from whence.engine.frames import Frame
    from whence.workspace.chart import Chart
    from whence.workspace.explain import ExplainOptions
    from whence.workspace.explanations import Explanations
    from whence.workspace.question import Question
else:
    chart_suggestions = LazyModule("whence.charts.suggest")
    charts = LazyModule("whence.workspace.chart")
    explaining = LazyModule("whence.workspace.explain")
    questions = LazyModule("whence.workspace.question")
    table_formats = LazyModule("whence.workspace.save_table_format")


class Dataset:
    """One immutable version of a dataset: rows, lineage and caveats."""

    def __init__(self, context: Context, record: DatasetRecord) -> None:
        self._context = context
        self.record = record

    @property
    def context(self) -> Context:
        """The services of its workspace; for whence's own use."""
        return self._context

    @property
    def workspace_path(self) -> Path:
        """The folder of its workspace."""
        return self._context.store.root

    @property
    def name(self) -> str:
        """Its name in the workspace."""
        return self.record.name

    @property
    def version(self) -> int:
        """The version number under its name, counted from 1."""
        return self.record.version

    @property
    def count(self) -> int:
        """The number of rows."""
        return self.record.rows

    @property
    def schema(self) -> Schema:
        """Column names and types."""
        return self.record.schema

    @property
    def columns(self) -> list[str]:
        """Column names."""
        return list(self.record.schema.names)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows and the number of columns.

        >>> ws.create("pairs", [(1, "a"), (2, "b"), (3, "c")], schema="n int, letter string").shape
        (3, 2)
        """
        return self.count, len(self.columns)

    @property
    def df(self) -> Frame:
        """The dataset as a PySpark DataFrame: a scan of its Parquet."""
        return self._context.engine.frame(self.record)

    def rows(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """Rows start..stop-1 as an Arrow table, in rid order; no Spark needed.

        >>> ws.create("letters", [("a",), ("b",), ("c",)], schema="letter string").rows(1, 3).to_pylist()
        [{'letter': 'b'}, {'letter': 'c'}]
        """
        return self._context.store.read(self.record, start, self.count if stop is None else stop)

    def view(self, sort: Sequence[SortLike] = (), where: Sequence[WhereLike] = ()) -> View:
        """Return a sorted and filtered view of the rows that reads them in pages. No Spark needed.

        `sort` lists columns, or pairs with "asc" or "desc"; `where` lists (column, comparison, value).

        >>> fruit = ws.create("fruit", [("fig", 3), ("pear", 1), ("plum", 2)], schema="name string, n int")
        >>> small = fruit.view(sort=[("n", "desc")], where=[("n", "<", 3)])
        >>> small.count, small.rids(0, 2).tolist(), small.rows(0, 1).to_pylist()
        (2, [2, 1], [{'name': 'plum', 'n': 2}])
        """
        return self._context.store.views.view(self.record, sort, where)

    @overload
    def profile(self, column: None = None) -> dict[str, Profile]: ...

    @overload
    def profile(self, column: str) -> Profile: ...

    def profile(self, column: str | None = None) -> Profile | dict[str, Profile]:
        """Return the profile of a column, or of each: nulls, distinct and frequent values, range, quantiles, histogram.

        No Spark needed.

        >>> ages = ws.create("ages", [("Ada", 36), ("Bob", None), ("Cy", 40)], schema="name string, age int")
        >>> age = ages.profile("age")
        >>> age.nulls, age.distinct, age.min, age.max, age.mean
        (1, 2, 36, 40, 38.0)
        """
        profiles = self._context.store.profiles
        if column is not None:
            return profiles.profile(self.record, column)
        return {name: profiles.profile(self.record, name) for name in self.columns}

    def sample(self, n: int, seed: int = 0) -> Rows:
        """Return at most n random rows, without replacement. The same seed gives the same rows.

        >>> hundred = ws.create("hundred", [(i,) for i in range(100)], schema="i int")
        >>> hundred.sample(3, seed=1).count
        3
        """
        return Rows(self._context, self.record, sample_rids(self.count, n, seed))

    def take(self, rids: RowIds) -> pa.Table:
        """Return these rows as an Arrow table, in the order given, without reading the whole dataset.

        >>> ws.create("abc", [("a",), ("b",), ("c",)], schema="letter string").take([2, 0]).to_pylist()
        [{'letter': 'c'}, {'letter': 'a'}]
        """
        return self._context.store.take(self.record, row_ids(rids))

    def row_keys(self, start: int = 0, stop: int | None = None) -> list[str]:
        """Return the keys of rows start..stop-1. A row keeps its key when its data is loaded or its query is run again.

        >>> ws.create("stock", [("bolt", 1), ("nut", 4)], schema="part string, n int").row_keys() == (
        ...     ws.create("stock", [("nut", 4), ("bolt", 1)], schema="part string, n int").row_keys()[::-1]
        ... )
        True
        """
        return as_texts(self._context.readers.keys.of(self.record)[start:stop])

    def to_arrow(self, *, bounds: bool = False) -> pa.Table:
        """Return all rows as an Arrow table, which remembers the dataset: see `to_pandas`.

        With `bounds`, each column with doubtful cells has two more, `<column>_low` and `<column>_high`: between which
        values each cell lies, given the ranges that caveats state. An end that is NULL is not known.

        >>> read = ws.create("read", [(3,), (9,)], schema="x int", cell_caveats=[(1, "x", "9 or 4", (4, 9))])
        >>> read.to_arrow(bounds=True).to_pylist()
        [{'x': 3, 'x_low': 3, 'x_high': 3}, {'x': 9, 'x_low': 4, 'x_high': 9}]
        """
        table = self.rows()
        return mark_table(with_bounds(self._context, self.record, table) if bounds else table, self.record)

    def to_pandas(self) -> pd.DataFrame:
        """Return all rows as a pandas frame, which remembers the dataset.

        A dataset that `ws.create` makes from this frame, or from frames computed from it, keeps doubts and lineage.
        """
        return mark_frame(self.rows().to_pandas(), self.record)

    def head(self, n: int = 5) -> pd.DataFrame:
        """Return the first n rows as a pandas frame. No Spark needed.

        >>> print(ws.create("letters", [("a",), ("b",), ("c",)], schema="letter string").head(2))
          letter
        0      a
        1      b
        """
        return mark_frame(self.rows(0, max(0, min(n, self.count))).to_pandas(), self.record)

    def describe(self) -> pd.DataFrame:
        """Return figures of every column, named as in pandas' `describe(include="all")`. No Spark needed.

        They come from the profiles. Quartiles are values of the column, not interpolated ones. `profile` says how
        exact each figure is.

        >>> ages = ws.create("ages", [("Ada", 36), ("Bob", None), ("Cy", 40)], schema="name string, age int")
        >>> ages.describe().loc[["count", "mean"], "age"].tolist()
        [2.0, 38.0]
        """
        return describe_profiles(self.profile().values())

    @cached_property
    def lineage(self) -> DatasetLineage:
        """Lineage questions: where rows and cells came from, and where they went."""
        return DatasetLineage(self._context, self.record)

    @cached_property
    def caveats(self) -> DatasetCaveats:
        """The doubt flags and caveats: what is in doubt, and why."""
        return DatasetCaveats(self._context, self.record)

    @property
    def notes(self) -> list[str]:
        """Sentences about the result that one should know, with numbers; most results have none.

        They tell of joins that multiplied or lost rows, filters that removed everything, groups that vanished, a LIMIT
        without ORDER BY, and values that are written in a query.

        >>> orders = ws.create("orders", [(1, "eur"), (2, "eur"), (3, "usd")], schema="id int, currency string")
        >>> rates = ws.create("rates", [("eur", 1.0), ("eur", 1.1)], schema="currency string, rate double")
        >>> for note in ws.sql("select id, rate from orders join rates using (currency)", name="paid").notes:
        ...     print(note)
        The join multiplied rows: each of 2 rows of orders found 2 matches.
        The inner join dropped 1 of 3 rows of orders: they found no match.
        """
        return dataset_notes(self._context, self.record)

    @property
    def notes_at_hand(self) -> list[str]:
        """The notes that can be told now; `notes` runs the query again where its lineage is still to be captured.

        >>> nine = ws.create("nine", [(n,) for n in range(9)], schema="n int")
        >>> ws.sql("select n from nine limit 3", name="some").notes_at_hand
        ['LIMIT 3 without ORDER BY: which rows come out is left to chance.']
        """
        return notes_at_hand(self._context, self.record)

    def explain(self, column: str, outliers: Sequence[int], **options: Unpack[ExplainOptions]) -> Explanations[Dataset]:
        """Explain why these values of an aggregate look odd; the same as `whence.explain`.

        >>> rows = [(day, shop, 1.0 + 8 * day * (shop == "b")) for day in (0, 1) for shop in "abc" for _ in range(20)]
        >>> sales = ws.create("sales", rows, schema="day int, shop string, amount double")
        >>> totals = ws.sql("select day, sum(amount) total from sales group by day order by day", name="totals")
        >>> totals.explain("total", outliers=[1], holdouts=[0])[0].predicate.sql
        "shop = 'b'"
        """
        context = self._context
        return explaining.explain_values(
            context, self.record, lambda record: Dataset(context, record), column, outliers, **options
        )

    def question(self, column: str) -> Question[Dataset]:
        """Return a `Question` about a column of aggregates: what could explain it, and its values without some rows.

        >>> rows = [(day, shop, 2.0) for day in (0, 1) for shop in "ab" for _ in range(20)]
        >>> sales = ws.create("sales", rows, schema="day int, shop string, amount double")
        >>> daily = ws.sql("select day, sum(amount) total from sales group by day order by day", name="daily")
        >>> daily.question("total").attributes
        ['shop']
        """
        context = self._context
        return questions.Question(context, self.record, lambda record: Dataset(context, record), column)

    def as_chart(self) -> Chart[Dataset]:
        """Return the chart whose marks this dataset holds.

        >>> pets = ws.create("pets", [("cat",), ("dog",), ("cat",)], schema="kind string")
        >>> _ = pets.chart({"aes": {"x": "kind"}}, name="kinds").marks
        >>> ws["kinds"].as_chart().vega["datasets"]["rows"][0]["y"]
        2.0
        """
        context = self._context
        return charts.open_chart(context, self.record, lambda record: Dataset(context, record))

    def check_fd(self, text: str) -> FunctionalDependency:
        """Check whether a functional dependency such as "zip -> city" holds, and find the rows that break it."""
        return FunctionalDependency(self._context, self.record, dependency(self._context.store, self.record, text))

    def key_candidates(self, most: int = 2, columns: Sequence[str] | None = None) -> list[tuple[str, ...]]:
        """Return the smallest sets of at most `most` columns that could be a key."""
        return key_candidates(self._context.store, self.record, most, columns)

    def chart(self, spec: object, name: str | None = None, *, keep: bool = True) -> Chart[Dataset]:
        """Make a chart of this dataset; the same as `whence.chart`.

        With `keep=False` its marks are a scratch dataset: it is listed nowhere, and a later opening of the workspace
        removes it unless something was made from it.

        >>> pets = ws.create("pets", [("cat",), ("dog",), ("cat",)], schema="kind string")
        >>> pets.chart({"aes": {"x": "kind"}}).marks.to_arrow().to_pylist()
        [{'x': 'cat', 'y': 2}, {'x': 'dog', 'y': 1}]
        """
        return charts.make_chart(self._context, self, spec, name, keep=keep)

    def suggest_charts(self, count: int = 3) -> list[ChartSuggestion]:
        """Suggest charts of this dataset, chosen by the types and profiles of its columns. No Spark needed.

        >>> rows = [("a", 1.5), ("b", 2.5), ("a", 9.0), ("b", 4.0)]
        >>> for each in ws.create("pairs", rows, schema="shop string, price double").suggest_charts():
        ...     print(each.why)
        How price spreads for each shop.
        How price is distributed.
        How many rows there are for each shop.
        """
        return chart_suggestions.suggest_charts(self._context.store, self.record, count)

    def caveat(
        self,
        where: str | RowIds | Rows | None,
        column: str | None,
        message: str,
        *,
        low: End = None,
        high: End = None,
    ) -> Dataset:
        """Return a new version in which these cells are in doubt; without a column, these rows.

        `where` is a SQL condition, row ids or Rows, or None for all rows. With neither rows nor a column the caveat
        says that rows may be missing. `ws.reload` keeps these caveats on the rows they are about. `low` and `high`
        state between which values the cells lie: see `ds.caveats.bounds`.

        >>> ages = ws.create("ages", [("Ada", 36), ("Bob", 400)], schema="name string, age int")
        >>> doubted = ages.caveat("age > 120", "age", "nobody is that old")
        >>> doubted, doubted.caveats.marks().column("age").to_pylist()
        (<Dataset ages@2: 2 rows x 2 columns, 1 doubtful column>, [False, True])
        >>> ages.caveat(None, None, "the second page was lost").caveats.row_set
        True
        """
        if column is not None:
            column = checked_column(self.record, column)
        rows = where.ids if isinstance(where, Rows) else where
        chosen = rows if rows is None or isinstance(rows, str) else checked_rows(self.record, rows).tolist()
        if column is None and (low is not None or high is not None):
            raise UserError("A range is stated about cells, and this caveat names no column.", "Name the column.")
        stated = state(self._context.derive, Statement(self.record, chosen, column, message, (low, high)))
        return Dataset(self._context, stated)

    @property
    def load_report(self) -> LoadReport | None:
        """How whence read the file, and which values did not fit; None if the dataset was not loaded."""
        return load_report(self._context.store, self.record)

    @property
    def lens_report(self) -> LensReport | None:
        """What the transformation that made this dataset did and learned; None if no transformation made it.

        >>> ages = ws.create("ages", [(36,), (40,), (None,)], schema="age int")
        >>> report = ws.lens("impute", ages, column="age", method="mean").lens_report
        >>> report.sentence, report.learned
        ('Missing values of age are 38, the mean.', {'mean of age': 38})
        """
        return lens_report(self._context.store, self.record)

    @property
    def sheet_report(self) -> SheetReport | None:
        """The operations of the sheet that made this dataset, and the edits it lost; None if no sheet made it.

        >>> names = ws.create("names", [("ada",), ("bob",)], schema="name string")
        >>> ws.sheet(names).set(0, "name", "Ada").apply().sheet_report
        SheetReport(sentences=['Set name in row 1.'], lost=[])
        """
        return sheet_report(self._context.store, self.record)

    def save(
        self,
        table: str | None = None,
        mode: Literal["errorifexists", "append", "overwrite"] = "errorifexists",
        *,
        delta: str | os.PathLike[str] | None = None,
        iceberg: str | os.PathLike[str] | None = None,
        caveats: bool = True,
        lineage: bool | None = None,
    ) -> None:
        """Write the rows to a table of Spark's catalog, or as a Delta or Iceberg table into a folder.

        An existing table is an error unless `mode` says otherwise. `iceberg` is a folder or a table of a catalog, such
        as `iceberg://prod/shop.orders`. Delta needs the extra `delta`, Iceberg the extra `iceberg`. Beside a Delta or
        Iceberg table whence writes the doubts about its cells and rows, and what it was made from, unless `caveats` is
        False. `ws.load` puts the doubts on the rows again. `lineage` says whether the source rows behind each row are
        written beside it, too; without it, they are if the doubts are. `ds.lineage.saved` returns them after `ws.load`.

        >>> import os
        >>> _ = ws.spark.sql(f"create database kept location '{os.getcwd()}/kept'")
        >>> ws.create("pairs", [(1, "a")], schema="n int, letter string").save(table="kept.pairs")
        >>> ws.load(table="kept.pairs", name="again").to_arrow().to_pylist()
        [{'n': 1, 'letter': 'a'}]
        """
        if sum(each is not None for each in (table, delta, iceberg)) != 1:
            raise BadInput("Give either table=, delta= or iceberg=.", 'For example: ds.save(delta="tables/orders").')
        if table is not None:
            save_table(self.df, table, mode)
        beside = table_formats.BesideTable(caveats, caveats if lineage is None else lineage)
        if delta is not None:
            table_formats.save_as_delta(self._context, self.record, delta, mode, beside)
        if iceberg is not None:
            table_formats.save_as_iceberg(self._context, self.record, iceberg, mode, beside)

    def parents(self) -> list[Dataset]:
        """Return the dataset versions it was made from."""
        records = [self._context.store.by_id(parent) for parent in self.record.parents]
        # A handle may be older than the removal of a dataset it was made from.
        return [Dataset(self._context, each) for each in records if not isinstance(each, ForgottenRecord)]

    def source_lines(self, rids: RowIds) -> list[int | None]:
        """Return the line of the loaded file on which each of these rows begins; None where there was no file."""
        found = self._context.store.take(self.record, row_ids(rids), [LINE_COLUMN])
        lines: list[int | None] = found.column(0).to_pylist()
        return lines

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Dataset {self._summary()}>"

    def _repr_html_(self) -> str:
        stop = min(FIRST_ROWS, self.count)
        looks = CellLooks(self.caveats.marks(0, stop), self.caveats.list, self._origin)
        return dataset_html(self._summary(), self.rows(0, stop), looks)

    def _origin(self, row: int, column: str) -> str:
        try:
            return self.lineage.origin(row, column)
        except WhenceError:  # lineage that is damaged must not hide the rows
            return ""

    def _summary(self) -> str:
        try:
            doubt = self.caveats.doubt
        except WhenceError:  # the workspace is closed; a handle must still be printable
            doubt = self.record.doubt
        size = f"{counted(self.count, 'row')} x {counted(len(self.columns), 'column')}"
        columns = [f"{counted(len(doubt.columns), 'doubtful column')}"] if doubt.columns else []
        rows = ["doubtful rows"] if doubt.rows else []
        missing = ["rows may be missing"] if doubt.row_set else []
        return ", ".join([f"{self.record.label}: {size}", *columns, *rows, *missing])
