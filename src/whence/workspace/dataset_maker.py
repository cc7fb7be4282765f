"""The calls of `Workspace` that make datasets from datasets: queries, frames, operators, transformations, sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from whence.arrays.operator import Operator
from whence.arrays.rowwise import RowFunction
from whence.derive.derive import derive
from whence.derive.record_failure import record_failure
from whence.derive.request import Request
from whence.engine.frames import Frame, PandasOnSpark
from whence.lineage.strategy import Mode, checked_mode
from whence.model.lazy_module import LazyModule
from whence.workspace.adopted_names import Claim
from whence.workspace.dataset import Dataset
from whence.workspace.derive_frame import derive_frame
from whence.workspace.placeholders import fill_placeholders
from whence.workspace.references import version_of
from whence.workspace.workspace_reader import WorkspaceReader

if TYPE_CHECKING:
    import whence.checks.suggest as check_suggestions
    import whence.pipeline.apply as transforming
    import whence.transformations.describe as lens_descriptions
    import whence.transformations.suggest as lens_suggestions
    import whence.workspace.adopt_frame as adoption
    import whence.workspace.apply_operator as operator_runs
    import whence.workspace.expect as expectations
    import whence.workspace.link as chart_links
    import whence.workspace.sheet as sheets
    import whence.workspace.single_cell as single_cells
    from whence.checks.check import Check, Severity
    from whence.checks.from_pandera.schema import PanderaSchema
    from whence.checks.report import CheckReport
    from whence.transformations.describe import LensDescription
    from whence.transformations.suggestion import Suggestion
    from whence.workspace.chart import Chart
    from whence.workspace.expect import Given
    from whence.workspace.link import Link
    from whence.workspace.sheet import Sheet
else:
    # Importing all of these takes seconds, so each loads with its first use.
    check_suggestions = LazyModule("whence.checks.suggest")
    transforming = LazyModule("whence.pipeline.apply")
    lens_descriptions = LazyModule("whence.transformations.describe")
    lens_suggestions = LazyModule("whence.transformations.suggest")
    adoption = LazyModule("whence.workspace.adopt_frame")
    operator_runs = LazyModule("whence.workspace.apply_operator")
    expectations = LazyModule("whence.workspace.expect")
    chart_links = LazyModule("whence.workspace.link")
    sheets = LazyModule("whence.workspace.sheet")
    single_cells = LazyModule("whence.workspace.single_cell")


class DatasetMaker(WorkspaceReader):
    """The calls of `Workspace` that derive a dataset from others, with lineage and doubt flags."""

    def sql(
        self, text: str, name: str | None = None, *, lineage: bool | Mode = True, **placeholders: object
    ) -> Dataset:
        """Run a query over datasets of this workspace and store the result with its lineage and doubt flags.

        `{r}` stands for a Rows or a dataset passed as `r=`. Every other brace is text. `lineage=False` skips capture.
        "inject", "defer" and "lazy" choose when capture happens. By default a cost rule chooses.

        >>> ws.create("ones", [(1,), (1,)], schema="x int").count
        2
        >>> ws.sql("select sum(x) as total from ones", name="sum").to_arrow().to_pylist()
        [{'total': 2}]
        """
        with record_failure(self._context.store, "sql", name or "result"):
            query = self._context.engine.sql(fill_placeholders(self._context.engine, text, placeholders))
        request = Request(
            query,
            name or "result",
            "sql",
            text,
            checked_mode(lineage),
            is_rerunnable=not placeholders,
            is_reusable=True,
        )
        return self._dataset(derive(self._context.derive, request))

    def scratch_sql(self, text: str) -> Dataset:
        """Run a query as `sql` does, and return the result as a scratch dataset, which has lineage and doubt flags.

        No list shows it. A later opening of the workspace removes it unless something was made from it.

        >>> _ = ws.create("coins", [(1,), (2,)], schema="cents int")
        >>> once = ws.scratch_sql("select sum(cents) as total from coins")
        >>> once.to_arrow().to_pylist(), [each.name for each in ws.datasets()]
        ([{'total': 3}], ['coins'])
        """
        with self._context.store.making_scratch():
            return self.sql(text, name="sql_answer")

    def dataset(self, df: Frame | PandasOnSpark, name: str) -> Dataset:
        """Run a PySpark or pandas-on-Spark frame over datasets of this workspace and store the result with its lineage.

        >>> old = ws.create("people_then", [("Ada", 36), ("Bob", None)], schema="name string, age int")
        >>> ws.dataset(old.df.pandas_api().dropna(), name="known_ages").lineage.backward([0]).ids.tolist()
        [0]
        """
        return self._dataset(derive_frame(self._context, df, name))

    def adopt(self, df: Frame | PandasOnSpark, name: str | None = None) -> Dataset:
        """Make a dataset of any frame of a local Spark session: what it reads becomes sources of this workspace first.

        The rows of a source are those that Spark reads with the options and the schema of the program. Parts of the
        plan that another evaluation could answer differently, such as a sample, are evaluated as they are, and kept.

        >>> frame = ws.spark.createDataFrame([("Ada", 36), ("Bob", None)], "name string, age int")
        >>> known = ws.adopt(frame.dropna(), name="known_age")
        >>> known.lineage.backward([0]).to_arrow().to_pylist()
        [{'name': 'Ada', 'age': 36}]
        """
        claim = Claim(name or "result", "result", name or "result")
        return self._dataset(adoption.adopt_frame(self._context, df, claim).record)

    def apply(
        self,
        operator: Operator | RowFunction,
        *inputs: Dataset | str,
        name: str | None = None,
        lineage: str | None = None,
        tiles: bool | None = None,
    ) -> Dataset:
        """Run an operator on datasets and store its result with the lineage that the operator declares.

        `lineage` says how to store this lineage: "map", "full one", "comp many", "black box" and so on. By default
        `ws.capture`, the budget and what the operator offers decide. An operator with a `radius` runs on a large array
        tile by tile in Spark's tasks, unless `tiles` says otherwise.

        >>> import numpy as np
        >>> from whence.arrays import Convolve
        >>> spots = ws.array("spots", np.array([0.0, 0.0, 6.0, 0.0]))
        >>> soft = ws.apply(Convolve((0.5, 1.0, 0.5)), "spots", name="soft")
        >>> soft.to_numpy().tolist(), spots.lineage.forward([(3,)], to="soft").cells
        ([0.0, 3.0, 6.0, 3.0], [(2,), (3,)])
        """
        records = [version_of(self._context.store, each) for each in inputs]
        return self._dataset(
            operator_runs.apply_operator(self._context, operator, records, name, lineage=lineage, tiles=tiles)
        )

    def lens(self, lens: str, dataset: Dataset | str, name: str | None = None, **parameters: object) -> Dataset:
        """Apply a transformation to a dataset. Each value that it guesses gets a caveat with the reason.

        >>> ages = ws.create("ages", [("Ada", 36), ("Bob", None)], schema="name string, age int")
        >>> fixed = ws.lens("impute", ages, column="age", method="constant", value=0)
        >>> fixed.to_arrow().to_pylist()[1], fixed.caveats.list(row=1)[0].message
        ({'name': 'Bob', 'age': 0}, 'age is missing; 0, the value given, stands in for it.')
        """
        store = self._context.store
        record = version_of(store, dataset)
        caller = transforming.Caller(
            self._context.derive, name or record.name, lambda each: version_of(store, each), "lens"
        )
        found = transforming.find_transformation(lens)
        return self._dataset(transforming.apply_transformation(caller, record, found, parameters).result())

    def lenses(self) -> list[LensDescription]:
        """List every transformation: what it does, what it guesses, and the parameters it takes.

        >>> print(next(lens for lens in ws.lenses() if lens.name == "trim"))
        trim: Trim spaces. Remove spaces of every kind before and after each text; with `inside`, ...
          columns: the columns to trim; all text columns if left open
          inside: whether several spaces inside a text become one (default False)
        """
        return lens_descriptions.describe_lenses()

    def suggest_lenses(self, dataset: Dataset | str) -> list[Suggestion]:
        """Suggest transformations that would help a dataset, each with the reason. No Spark needed.

        >>> prices = ws.create("prices", [("21 USD",), ("$19.00",), ("3 EUR",)], schema="price string")
        >>> [(each.lens, each.parameters, each.why) for each in ws.suggest_lenses(prices)]
        [('parse_numbers', {'column': 'price'}, 'Most values of price are a number with a unit.')]
        """
        store = self._context.store
        return lens_suggestions.suggest_lenses(store, version_of(store, dataset))

    def expect(
        self,
        dataset: Dataset | str,
        checks: Sequence[Given] | PanderaSchema,
        name: str | None = None,
        *,
        stop: bool = True,
    ) -> CheckReport[Dataset]:
        """Check a dataset, and return a report whose `dataset` is a version with a caveat on every row that fails.

        The version has the dataset's own name, unless `name` gives another. If a check of severity error fails, nothing
        is stored and `CheckFailed` is raised; with `stop=False` the report says so instead. A schema of pandera may
        stand for checks, or among them.

        >>> orders = ws.create("orders", [(1, 5), (2, -3), (2, 8)], schema="id int, amount int")
        >>> report = ws.expect(orders, [whence.Check("row", "amount > 0"), whence.Check("key", "id")])
        >>> print(report)
        orders@1, 3 rows: 2 of 2 checks failed.
          warning  amount > 0: 1 of 3 rows
                   row 1: amount is -3
          warning  id is a key: 2 of 3 rows
                   row 1: id is 2
                   row 2: id is 2
        >>> report.dataset.caveats.marks()["_row"].to_pylist()
        [False, True, True]
        """
        found = expectations.expect_dataset(
            self._context, version_of(self._context.store, dataset), checks, name, stop=stop
        )
        return expectations.with_dataset(found, self._dataset(found.dataset))

    def pandera_checks(
        self, dataset: Dataset | str, schema: PanderaSchema, severity: Severity = "warning"
    ) -> list[Check]:
        """Return what a schema of pandera expects of a dataset, as checks for `expect`. No Spark needed.

        >>> import pandera.pandas as pa
        >>> schema = pa.DataFrameSchema({"amount": pa.Column(int, [pa.Check.gt(0), pa.Check(lambda x: x % 5 == 0)])})
        >>> orders = ws.create("orders", [(1, 5), (2, -3)], schema="id int, amount int")
        >>> for check in ws.pandera_checks(orders, schema):
        ...     print(check.kind, "-", check.name)
        type - amount holds tinyint, smallint, int or bigint
        not_null - amount is not null
        row - amount: greater_than(0)
        pandera - amount: <lambda>, 2
        """
        record = version_of(self._context.store, dataset)
        return expectations.checks_of_schema(record, schema, severity)

    def suggest_checks(self, dataset: Dataset | str) -> list[Check]:
        """Suggest checks that hold for every row now: keys, dependencies, ranges, sets of values. No Spark needed.

        >>> rows = [(1, "a"), (2, "b"), (3, "a"), (4, "b")]
        >>> for check in ws.suggest_checks(ws.create("pairs", rows, schema="n int, letter string")):
        ...     print(check.name)
        n is a key
        n is between 1 and 4
        letter is not null
        letter is one of a, b
        """
        store = self._context.store
        return check_suggestions.suggest_checks(store, version_of(store, dataset))

    def sheet(self, dataset: Dataset | str, operations: Iterable[Mapping[str, Any]] = ()) -> Sheet:
        """Open a dataset as a spreadsheet. `operations` of an earlier sheet are done first. No Spark needed.

        >>> prices = ws.create("prices", [("bolt", 10), ("nut", 4)], schema="part string, price int")
        >>> sheet = ws.sheet(prices).insert_column("gross", after="price").set_column("gross", "=B1*2")
        >>> sheet.set(1, "price", 5).page().values
        {'part': ['bolt', 'nut'], 'price': [10, 5], 'gross': [20, 10]}
        """
        record = version_of(self._context.store, dataset)
        return sheets.Sheet(self._context, record, sheets.operations_in(operations))

    def run_cell(self, kind: str, **parameters: object) -> Dataset:
        """Run one cell of this kind outside any notebook, and return the first dataset it makes.

        >>> ws.create("n", [(1,), (2,)], schema="x int").count
        2
        >>> ws.run_cell("sql", source="select max(x) m from n", name="top").to_arrow().to_pylist()
        [{'m': 2}]
        """
        return self._dataset(single_cells.run_single_cell(self._context, kind, parameters))

    def link(self, charts: Sequence[Chart[Dataset]], tables: Sequence[Dataset] = ()) -> Link:
        """Link charts so that they follow each other's brushes; the same as `whence.link`."""
        return chart_links.link(charts, tables)
