"""A workspace in the user's hands: data in, queries over it, datasets out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from whence.arrays.create import CellCaveat as ArrayCaveat
from whence.arrays.create import create_array
from whence.arrays.operator import Operator
from whence.arrays.plan_report import LineagePlan
from whence.arrays.rowwise import RowFunction
from whence.derive.derive import derive
from whence.derive.request import Request
from whence.engine.engine import Engine
from whence.engine.frames import Frame, PandasOnSpark, Session, frame_of
from whence.engine.scan import StoredFlags
from whence.lineage.strategy import Mode, checked_mode
from whence.loading.create import CellCaveat, RowCaveat
from whence.loading.options import Options
from whence.loading.progress import Report
from whence.loading.progress_bar import shown_progress
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError, WhenceError
from whence.model.lazy_module import LazyModule
from whence.model.plural import counted
from whence.store.archive import export_archive
from whence.store.browser_sessions import BrowserSessions
from whence.store.pending_sheets import PendingSheets
from whence.store.store import Store
from whence.store.uploads import Incoming
from whence.workspace.array import ArrayDataset
from whence.workspace.budget import as_budget
from whence.workspace.capture import CaptureControl
from whence.workspace.compose import compose
from whence.workspace.create import create_dataset, to_table
from whence.workspace.dataset import Dataset
from whence.workspace.diff import Diff, compare
from whence.workspace.graph import WorkspaceGraph
from whence.workspace.handles import handle_of
from whence.workspace.notebook_shelf import NotebookShelf, read_content
from whence.workspace.placeholders import fill_placeholders
from whence.workspace.record_later import record_after_exit
from whence.workspace.references import version_of, versions_of
from whence.workspace.restate import loaded_version, restate
from whence.workspace.workspace_caveats import WorkspaceCaveats

if TYPE_CHECKING:
    import whence.loading.anywhere as anywhere
    import whence.loading.from_tables as from_tables
    import whence.loading.load as load_file
    import whence.notebook.exchange.text as text_files
    import whence.notebook.export.export as exports
    import whence.notebook.run_cell as cell_runs
    import whence.pipeline.apply as transforming
    import whence.transformations.describe as lens_descriptions
    import whence.transformations.suggest as lens_suggestions
    import whence.workspace.apply_operator as operator_runs
    import whence.workspace.link as chart_links
    import whence.workspace.sheet as sheets
    import whence.workspace.single_cell as single_cells
    from whence.transformations.describe import LensDescription
    from whence.transformations.suggestion import Suggestion
    from whence.workspace.chart import Chart
    from whence.workspace.link import Link
    from whence.workspace.notebook import Notebook
    from whence.workspace.shared_notebook import SharedNotebook
    from whence.workspace.sheet import Sheet
else:
    # What a workspace offers loads when it is first used: all of it takes seconds.
    anywhere = LazyModule("whence.loading.anywhere")
    from_tables = LazyModule("whence.loading.from_tables")
    load_file = LazyModule("whence.loading.load")
    text_files = LazyModule("whence.notebook.exchange.text")
    exports = LazyModule("whence.notebook.export.export")
    cell_runs = LazyModule("whence.notebook.run_cell")
    transforming = LazyModule("whence.pipeline.apply")
    lens_descriptions = LazyModule("whence.transformations.describe")
    lens_suggestions = LazyModule("whence.transformations.suggest")
    operator_runs = LazyModule("whence.workspace.apply_operator")
    chart_links = LazyModule("whence.workspace.link")
    sheets = LazyModule("whence.workspace.sheet")
    single_cells = LazyModule("whence.workspace.single_cell")


class Workspace:
    """A folder of datasets and everything known about them. Close it, or use it in a `with` block."""

    def __init__(self, store: Store, make_engine: Callable[[StoredFlags], Engine]) -> None:
        """`make_engine` is given the marks that queries read."""
        self._context = compose(store, make_engine)
        self.capture = CaptureControl(store, self._context.writers.capture)
        self._notebooks = NotebookShelf(self._context)

    @property
    def path(self) -> Path:
        """The folder."""
        return self._context.store.root

    @property
    def spark(self) -> Session:
        """The SparkSession; Spark starts when it is first needed."""
        return self._context.engine.session

    @property
    def is_engine_running(self) -> bool:
        """Whether Spark has started for this workspace."""
        return self._context.engine.process.is_running

    def load(
        self,
        path: str | os.PathLike[str] | None = None,
        name: str | None = None,
        key: str | None = None,
        *,
        delimiter: str | None = None,
        quote: str | None = None,
        header: bool | None = None,
        encoding: str | None = None,
        types: Mapping[str, str] | None = None,
        skip: int = 0,
        nulls: Sequence[str] = (),
        comment: str | None = None,
        file_column: str | None = None,
        sheet: str | None = None,
        table: str | None = None,
        user_from: str | None = None,
        password_from: str | None = None,
        allow_private: bool = False,
        in_place: bool | None = None,
        progress: Report | None = None,
    ) -> Dataset:
        """Take data in: types inferred from all rows, what does not fit recorded as caveats, nothing dropped.

        `path` is a file, a folder, a pattern, a web address, a path of a Hadoop file system or `jdbc:...`; a table of
        Spark's catalog is given as `table=` alone. What is found out about text can be decided instead. Folders of
        Parquet files over 256 MB are read where they lie, unless `in_place` says otherwise. A load that takes more than
        a second is a bar on the terminal, or calls `progress(done, total, phase)`.

        >>> _ = Path("parts.csv").write_text("id;price\\n1;2,5\\n2;oops\\n3;4\\n4;1,5\\n")
        >>> parts = ws.load("parts.csv", types={"id": "string"})
        >>> parts.to_arrow().to_pylist()[1], parts.load_report.counts["misfit"]
        ({'id': '2', 'price': None}, 1)
        """
        options = Options(
            delimiter=delimiter,
            quote=quote,
            header=header,
            encoding=encoding,
            types=dict(types or {}),
            skip=skip,
            nulls=tuple(nulls),
            comment=comment,
            file_column=file_column,
        )
        place = None if path is None else os.fspath(path)
        credentials = from_tables.Credentials(user_from, password_from)
        store, engine = self._context.store, self._context.engine
        with shown_progress(progress) as report:
            how = load_file.How(key, options, sheet, table, report, in_place=in_place)
            return self._dataset(
                anywhere.load_anywhere(
                    store, engine, place, name=name, how=how, credentials=credentials, allow_private=allow_private
                )
            )

    def reload(self, name: str) -> Dataset:
        """Load the source of a dataset again, the way it was loaded before, as a new version.

        >>> _ = Path("stock.csv").write_text("part,n\\nbolt,1\\n")
        >>> ws.load("stock.csv").count
        1
        >>> _ = Path("stock.csv").write_text("part,n\\nbolt,1\\nnut,4\\n")
        >>> ws.reload("stock"), ws.diff("stock@1", "stock@2").added.to_arrow().to_pylist()
        (<Dataset stock@2: 2 rows x 2 columns>, [{'part': 'nut', 'n': 4}])
        """
        dataset = self[name]
        report = self._dataset(loaded_version(self._context.store, dataset.record)).load_report
        if report is None:
            raise UserError(f"{dataset.record.label} was not loaded from a file, so it cannot be loaded again.")
        options: dict[str, Any] = dict(report.options)
        loaded = self.load(report.source.path, name=dataset.name, key=report.key, **options)
        return self._dataset(restate(self._context, dataset.record, loaded.record))

    def create(
        self,
        name: str,
        data: object,
        schema: str | None = None,
        cell_caveats: Sequence[CellCaveat] = (),
        row_caveats: Sequence[RowCaveat] = (),
    ) -> Dataset:
        """Make a dataset from rows, a pandas frame, an Arrow table or a Spark DataFrame; row i gets rid i.

        A frame that `to_pandas` or `to_arrow` handed out keeps what is in doubt, and what it was made from.

        >>> ws.create("people", [("Ada", 36)], schema="name string, age int")
        <Dataset people@1: 1 row x 2 columns>
        """
        is_plain = not (schema or cell_caveats or row_caveats)
        if isinstance(data, Frame) and is_plain and self._context.engine.read(data).sources:
            return self.dataset(data, name)
        table = to_table(self._context.engine, data, schema)
        return self._dataset(
            create_dataset(self._context, name, data, table=table, cell_caveats=cell_caveats, row_caveats=row_caveats)
        )

    def sql(
        self, text: str, name: str | None = None, *, lineage: bool | Mode = True, **placeholders: object
    ) -> Dataset:
        """Run a query over datasets of this workspace and keep the result, its lineage and its marks.

        `{r}` takes a Rows or a dataset passed as `r=`; every other brace is text. `lineage=False` skips capture;
        "inject", "defer" and "lazy" choose when it happens, which by default a cost rule does.

        >>> ws.create("ones", [(1,), (1,)], schema="x int").count
        2
        >>> ws.sql("select sum(x) as total from ones", name="sum").to_arrow().to_pylist()
        [{'total': 2}]
        """
        request = Request(
            self._context.engine.sql(fill_placeholders(self._context.engine, text, placeholders)),
            name or "result",
            "sql",
            text,
            checked_mode(lineage),
            is_rerunnable=not placeholders,
            is_reusable=True,
        )
        return self._dataset(derive(self._context.derive, request))

    def dataset(self, df: Frame | PandasOnSpark, name: str) -> Dataset:
        """Keep a DataFrame of PySpark or pandas on Spark made from datasets of this workspace, with lineage and marks.

        >>> old = ws.create("people_then", [("Ada", 36), ("Bob", None)], schema="name string, age int")
        >>> ws.dataset(old.df.pandas_api().dropna(), name="known_ages").lineage.backward([0]).ids.tolist()
        [0]
        """
        request = Request(frame_of(df), name, "dataset", "", is_reusable=True)
        return self._dataset(derive(self._context.derive, request))

    def array(
        self,
        name: str,
        array: object,
        axes: Sequence[str] | None = None,
        cell_caveats: Sequence[ArrayCaveat] = (),
    ) -> ArrayDataset:
        """Keep a NumPy array of any number of axes; SQL sees its coordinates and a column `value`.

        >>> import numpy as np
        >>> sky = ws.array("sky", np.array([[1, 9], [2, 1]]), axes=("y", "x"), cell_caveats=[((0, 1), "hot pixel")])
        >>> sky, ws.sql("select y, sum(value) s from sky group by y order by y", name="lines").to_arrow().to_pylist()
        (<Array sky@1: 2 x 2, int64>, [{'y': 0, 's': 10}, {'y': 1, 's': 3}])
        >>> ws["lines"].lineage.backward([1], to="sky").cells, ws["lines"].caveats.marks().column("s").to_pylist()
        ([(1, 0), (1, 1)], [True, False])
        """
        named = None if axes is None else tuple(axes)
        return ArrayDataset(self._context, create_array(self._context.store, name, array, named, cell_caveats))

    def apply(
        self,
        operator: Operator | RowFunction,
        *inputs: Dataset | str,
        name: str | None = None,
        lineage: str | None = None,
        tiles: bool | None = None,
    ) -> Dataset:
        """Run an operator on datasets and keep what it gives, with the lineage it declares.

        `lineage` says how this is kept: "map", "full one", "comp many", "black box" and so on; by default `ws.capture`,
        the budget and what the operator gives decide. A large array is handed to an operator with a `radius` tile by
        tile in Spark's tasks; `tiles` decides otherwise.

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

    def lineage_budget(
        self,
        disk: str | float | None = None,
        slowdown: float | None = None,
        workload: Sequence[Sequence[object]] | None = None,
        pins: Mapping[str, str] | None = None,
    ) -> None:
        """Say what lineage may cost, and what it is wanted for; what to store is then planned in the background.

        `workload` lists questions, such as `("backward", "stars", "raw")`, with a weight if some are asked more often,
        or `("totals", "sums", "sales", {"by": ["month"], "measures": ["n"]})` for filters and totals by attributes;
        without it those count that were asked. `pins` keeps a dataset's lineage in the way you say.

        >>> import numpy as np
        >>> from whence.arrays import Add
        >>> raw, more = ws.array("raw", np.zeros(4)), ws.apply(Add(1.0), "raw", name="more")
        >>> ws.lineage_budget(disk="10MB", slowdown=1.2, workload=[("backward", "more", "raw")])
        >>> ws.lineage_plan()["more"].kinds
        ('map',)
        """
        planner, store = self._context.background.planner, self._context.store
        budget = as_budget(disk, slowdown, pins)
        preparing = self._context.writers.preparing
        planner.workload.declare(workload or (), lambda each: version_of(store, each), preparing.check_question)
        planner.set(budget)

    def lineage_plan(self) -> LineagePlan:
        """What is stored for which dataset, why, and what the next megabyte would buy; waits for the planner."""
        return self._context.background.planner.plan()

    def lens(self, lens: str, dataset: Dataset | str, name: str | None = None, **parameters: object) -> Dataset:
        """Put a transformation on a dataset; what it guessed is marked, with the reason.

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
        """Every transformation: what it does, what it guesses, and the parameters it takes.

        >>> print(next(lens for lens in ws.lenses() if lens.name == "trim"))
        trim: Trim spaces. Remove spaces of every kind before and after each text; with `inside`, ...
          columns: the columns to trim; all text columns if left open
          inside: whether several spaces inside a text become one (default False)
        """
        return lens_descriptions.describe_lenses()

    def suggest_lenses(self, dataset: Dataset | str) -> list[Suggestion]:
        """Which transformations would help a dataset, and why; no Spark needed.

        >>> prices = ws.create("prices", [("21 USD",), ("$19.00",), ("3 EUR",)], schema="price string")
        >>> [(each.lens, each.parameters, each.why) for each in ws.suggest_lenses(prices)]
        [('parse_numbers', {'column': 'price'}, 'Most values of price are a number with a unit.')]
        """
        store = self._context.store
        return lens_suggestions.suggest_lenses(store, version_of(store, dataset))

    def link(self, charts: Sequence[Chart[Dataset]]) -> Link:
        """Charts that follow each other's brushes; the same as `whence.link`."""
        return chart_links.link(charts)

    def sheet(self, dataset: Dataset | str, operations: Iterable[Mapping[str, Any]] = ()) -> Sheet:
        """Edit a dataset as in a spreadsheet, starting from operations that were kept; no Spark needed.

        >>> prices = ws.create("prices", [("bolt", 10), ("nut", 4)], schema="part string, price int")
        >>> sheet = ws.sheet(prices).insert_column("gross", after="price").set_column("gross", "=B1*2")
        >>> sheet.set(1, "price", 5).page().values
        {'part': ['bolt', 'nut'], 'price': [10, 5], 'gross': [20, 10]}
        """
        record = version_of(self._context.store, dataset)
        return sheets.Sheet(self._context, record, sheets.operations_in(operations))

    @property
    def pending_sheets(self) -> PendingSheets:
        """What was done in sheets that are neither applied nor discarded; it outlives a crash."""
        return self._context.store.pending_sheets

    def receive(self, name: str) -> Incoming:
        """Bring a file in, piece by piece, for load cells: they find it under the path that `finish` gives.

        >>> incoming = ws.receive("cities.csv")
        >>> incoming.write(b"city\\nOslo\\n")
        >>> path = incoming.finish()
        >>> Path(path).name, ws.run_cell("load", source=path, name="cities").to_arrow().to_pylist()
        ('cities.csv', [{'city': 'Oslo'}])
        """
        return self._context.store.receive(name)

    def run_cell(self, kind: str, **parameters: object) -> Dataset:
        """Run one notebook cell of this kind, given its parameters.

        >>> ws.create("n", [(1,), (2,)], schema="x int").count
        2
        >>> ws.run_cell("sql", source="select max(x) m from n", name="top").to_arrow().to_pylist()
        [{'m': 2}]
        """
        made = cell_runs.run_cell(single_cells.single_cell_context(self._context), kind, parameters).datasets
        if not made:
            raise UserError(f"A {kind} cell makes no dataset.", "Put it in a notebook: ws.notebook(...).append(...).")
        return self._dataset(next(iter(made.values())))

    def notebook(self, name: str) -> Notebook:
        """A notebook of this workspace, made if it is missing.

        >>> nb = ws.notebook("first steps")
        >>> nb.append("sql", source="select 6 * 7 as answer", name="answer")
        <cell c1 sql: ...>
        >>> nb.wait().cells[0].status, ws["answer"].to_arrow().to_pylist()
        ('ready', [{'answer': 42}])
        """
        return self._notebooks.open(name)

    @property
    def browser_sessions(self) -> BrowserSessions:
        """The browsers that are signed in to servers of this workspace, by the hashes of their secrets."""
        return BrowserSessions(self._context.store.database)

    def shared(self, token: str) -> SharedNotebook | None:
        """What the link with this secret shows; None if there is none, or no longer.

        >>> nb = ws.notebook("for all")
        >>> _ = nb.append("markdown", source="# Prices")
        >>> ws.shared(nb.wait().share().token).cells[0].source
        '# Prices'
        """
        return self._notebooks.shared(token)

    def drop_notebook(self, name: str) -> None:
        """Delete a notebook with its whole history, once its cells have stopped; the names it made are free again.

        Datasets its cells made stay as long as something uses them; `whence gc` moves the others to the trash.

        >>> _ = ws.notebook("scratch").append("markdown", source="a thought")
        >>> ws.drop_notebook("scratch")
        >>> "scratch" in ws.notebooks()
        False
        """
        self._notebooks.drop(name)

    def read_notebook(self, text: str, name: str | None = None) -> Notebook:
        """Take in a notebook written as text, as a new version of the notebook of that name; nothing runs.

        >>> nb = ws.notebook("original")
        >>> _ = nb.append("markdown", source="# Prices")
        >>> ws.read_notebook(nb.text, name="copy").cells[0].source
        '# Prices'
        """
        return self._notebooks.take_in(text_files.from_text(text), name)

    def import_notebook(self, path: str | os.PathLike[str], name: str | None = None) -> Notebook:
        """Take in a notebook from a file, Jupyter's (.ipynb) or our own text; nothing runs.

        >>> nb = ws.notebook("shared")
        >>> _ = nb.append("sql", source="select 1 as x", name="one")
        >>> nb.wait().export("shared.ipynb")
        >>> ws.import_notebook("shared.ipynb", name="taken over").cells[0].source
        'select 1 as x'
        """
        return self._notebooks.take_in(read_content(Path(path)), name)

    def export(self, path: str | os.PathLike[str], dataset: Dataset | str | None = None) -> None:
        """Write a dataset to a file, or without one the whole workspace, with its history, to an archive.

        A dataset's format is what the file's ending says: .csv, .json, .parquet, .xlsx, .sqlite.

        >>> _ = ws.create("pairs", [(1, "a")], schema="n int, letter string")
        >>> ws.export("pairs.csv", "pairs")
        >>> Path("pairs.csv").read_text()
        'n,letter\\n1,a\\n'
        """
        store = self._context.store
        if dataset is None:
            export_archive(store, Path(path))
        else:
            exports.export_dataset(store, version_of(store, dataset), Path(path))

    def notebooks(self) -> list[str]:
        """The names of the notebooks, oldest first."""
        return self._notebooks.names()

    @property
    def caveats(self) -> WorkspaceCaveats:
        """What is in doubt anywhere: the caveats behind all current datasets, each group once."""
        return WorkspaceCaveats(self.path.name, self.datasets)

    @property
    def graph(self) -> WorkspaceGraph:
        """Which operators and queries ran on what: questions about whole datasets."""
        return WorkspaceGraph(self._context)

    def diff(self, before: Dataset | str, after: Dataset | str) -> Diff:
        """What differs between two versions: rows added and removed, cells changed, by row key, never by position.

        >>> ws.create("fruit", [("fig",), ("kiwi",)], schema="name string").version
        1
        >>> ws.create("fruit", [("kiwi",), ("lime",)], schema="name string").version
        2
        >>> ws.diff("fruit@1", "fruit@2")
        <fruit@2 against fruit@1: 1 rows added, 1 removed, 0 cells changed>
        """
        store = self._context.store
        return compare(self._context, version_of(store, before), version_of(store, after))

    def datasets(self) -> list[Dataset]:
        """The current version of every dataset, oldest name first."""
        return [self._dataset(record) for record in self._context.store.datasets()]

    def forget(
        self, dataset: Dataset | str, *, also_dependants: bool = False, keep_dependants: bool = False
    ) -> list[str]:
        """Remove a dataset version, or all versions of a name, for good; return what went.

        Rows, caveats, lineage, the copy of its source file and its name leave the disk. Where other datasets were made
        from it, say whether they go as well or stay, without this source.

        >>> people = ws.create("people", [("Ada",), ("Bob",)], schema="name string")
        >>> ws.forget("people")
        ['people@1']
        """
        store, engine = self._context.store, self._context.engine
        chosen = versions_of(store, dataset)
        went = store.forget(chosen, also_dependants=also_dependants, keep_dependants=keep_dependants)
        if engine.process.is_running:
            for record in went:
                engine.session.catalog.dropTempView(record.name)
        self._context.background.planner.request()
        return [record.label for record in went]

    def close(self) -> None:
        """Let go of the folder; Spark keeps running for other workspaces of this process."""
        self._notebooks.close()
        self._context.background.close()
        self._context.store.close()
        record_after_exit(self._context.engine.process)

    def __getitem__(self, reference: str) -> Dataset:
        return self._dataset(version_of(self._context.store, reference))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            datasets, notebooks = len(self._context.store.datasets()), len(self.notebooks())
        except WhenceError:
            return f"<Workspace {self.path.name}: closed>"
        return f"<Workspace {self.path.name}: {counted(datasets, 'dataset')}, {counted(notebooks, 'notebook')}>"

    def _dataset(self, record: DatasetRecord) -> Dataset:
        return handle_of(self._context, record)
