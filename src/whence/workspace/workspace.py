"""A workspace in the user's hands: data in, queries over it, datasets out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from whence.arrays.apply import apply
from whence.arrays.apply_context import ApplyContext
from whence.arrays.apply_rows import apply_rows
from whence.arrays.apply_tiles import apply_tiles, can_be_tiled
from whence.arrays.create import CellCaveat as ArrayCaveat
from whence.arrays.create import create_array
from whence.arrays.operator import Operator
from whence.arrays.plan_report import LineagePlan
from whence.arrays.rowwise import RowFunction
from whence.arrays.tiles import MANY_CELLS
from whence.caveats.current import CurrentMarks
from whence.derive.derive import derive
from whence.derive.request import Request
from whence.engine.engine import Engine
from whence.engine.frames import Frame, PandasOnSpark, Session, frame_of
from whence.engine.load_in_tasks import InTasks
from whence.engine.masters import is_local, master_of
from whence.engine.profile import Profile
from whence.engine.scan import StoredMarks
from whence.lineage.strategy import Mode, checked_mode
from whence.loading.anywhere import load_anywhere
from whence.loading.create import CellCaveat, RowCaveat, rows_to_table
from whence.loading.ddl import plain_schema
from whence.loading.from_tables import Credentials
from whence.loading.load import How
from whence.loading.options import Options
from whence.loading.progress import Report
from whence.loading.progress_bar import shown_progress
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UserError, WhenceError
from whence.model.plural import counted
from whence.notebook.cell import CellContext
from whence.notebook.cells.registry import CELL_KINDS
from whence.notebook.exchange.jupyter import from_jupyter
from whence.notebook.exchange.text import Content, from_text
from whence.notebook.export.export import export_dataset
from whence.notebook.run_cell import find_kind, run_cell
from whence.notebook.scope import Names
from whence.pipeline.apply import Caller, apply_transformation, find_transformation
from whence.store.archive import export_archive
from whence.store.browser_sessions import BrowserSessions
from whence.store.notebooks import all_notebooks, find_notebook, make_notebook, unknown_notebook
from whence.store.pending_sheets import PendingSheets
from whence.store.shares import digest_of, share_of
from whence.store.storage import storage_of
from whence.store.store import Store
from whence.store.uploads import Incoming
from whence.transformations.describe import LensDescription, describe_lenses
from whence.transformations.suggest import suggest_lenses
from whence.transformations.suggestion import Suggestion
from whence.workspace.array import ArrayDataset
from whence.workspace.budget import as_budget
from whence.workspace.capture import CaptureControl
from whence.workspace.chart import Chart
from whence.workspace.context import Context
from whence.workspace.create import create_dataset
from whence.workspace.dataset import Dataset
from whence.workspace.diff import Diff, compare
from whence.workspace.graph import WorkspaceGraph
from whence.workspace.handles import handle_of
from whence.workspace.link import Link, link
from whence.workspace.notebook import Notebook
from whence.workspace.references import version_of, versions_of
from whence.workspace.restate import loaded_version, restate
from whence.workspace.rows import Rows
from whence.workspace.shared_notebook import SharedNotebook
from whence.workspace.sheet import Sheet, operations_in
from whence.workspace.workspace_caveats import WorkspaceCaveats


class Workspace:
    """A folder of datasets and everything known about them. Close it, or use it in a `with` block."""

    def __init__(self, store: Store, make_engine: Callable[[StoredMarks], Engine]) -> None:
        """`make_engine` is given the marks that queries read."""
        self._context: Context = Context.of(store, make_engine(CurrentMarks(store, lambda: self._context.marks)))
        self.capture = CaptureControl(store, lambda: self._context.capture)
        self._notebooks: dict[str, Notebook] = {}

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
            delimiter, quote, header, encoding, dict(types or {}), skip, tuple(nulls), comment, file_column
        )
        place = None if path is None else os.fspath(path)
        credentials = Credentials(user_from, password_from)
        store, engine = self._context.store, self._context.engine
        with shown_progress(progress) as report:
            how = How(key, options, sheet, table, report, in_place=in_place)
            return self._dataset(load_anywhere(store, engine, place, name, how, credentials, allow_private))

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
        table = self._table(data, schema)
        return self._dataset(create_dataset(self._context, name, data, table, cell_caveats, row_caveats))

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
            self._context.engine.sql(self._filled(text, placeholders)),
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
        context = self._context
        records = [version_of(context.store, each) for each in inputs]
        called = name or operator.name.lower()
        running = ApplyContext(context.store, context.marks, context.capture)
        if isinstance(operator, RowFunction):
            made = apply_rows(running, context.engine, operator, records, called)
        elif self._is_tiled(operator, records, lineage, tiles):
            made = apply_tiles(running, InTasks(context.engine.session), operator, records, called, lineage)
        else:
            made = apply(running, context.operators, operator, records, called, lineage)
        return self._dataset(made)

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
        planner, store = self._context.planner, self._context.store
        budget = as_budget(disk, slowdown, pins)
        preparing = self._context.preparing
        planner.workload.declare(workload or (), lambda each: version_of(store, each), preparing.check_question)
        planner.set(budget)

    def lineage_plan(self) -> LineagePlan:
        """What is stored for which dataset, why, and what the next megabyte would buy; waits for the planner."""
        return self._context.planner.plan()

    def lens(self, lens: str, dataset: Dataset | str, name: str | None = None, **parameters: object) -> Dataset:
        """Put a transformation on a dataset; what it guessed is marked, with the reason.

        >>> ages = ws.create("ages", [("Ada", 36), ("Bob", None)], schema="name string, age int")
        >>> fixed = ws.lens("impute", ages, column="age", method="constant", value=0)
        >>> fixed.to_arrow().to_pylist()[1], fixed.caveats.list(row=1)[0].message
        ({'name': 'Bob', 'age': 0}, 'age is missing; 0, the value given, stands in for it.')
        """
        store = self._context.store
        record = version_of(store, dataset)
        caller = Caller(self._context.derive, name or record.name, lambda each: version_of(store, each), "lens")
        return self._dataset(apply_transformation(caller, record, find_transformation(lens), parameters).result())

    def lenses(self) -> list[LensDescription]:
        """Every transformation: what it does, what it guesses, and the parameters it takes.

        >>> print(next(lens for lens in ws.lenses() if lens.name == "trim"))
        trim: Trim spaces. Remove spaces of every kind before and after each text; with `inside`, ...
          columns: the columns to trim; all text columns if left open
          inside: whether several spaces inside a text become one (default False)
        """
        return describe_lenses()

    def suggest_lenses(self, dataset: Dataset | str) -> list[Suggestion]:
        """Which transformations would help a dataset, and why; no Spark needed.

        >>> prices = ws.create("prices", [("21 USD",), ("$19.00",), ("3 EUR",)], schema="price string")
        >>> [(each.lens, each.parameters, each.why) for each in ws.suggest_lenses(prices)]
        [('parse_numbers', {'column': 'price'}, 'Most values of price are a number with a unit.')]
        """
        store = self._context.store
        return suggest_lenses(store, version_of(store, dataset))

    def link(self, charts: Sequence[Chart[Dataset]]) -> Link:
        """Charts that follow each other's brushes; the same as `whence.link`."""
        return link(charts)

    def sheet(self, dataset: Dataset | str, operations: Iterable[Mapping[str, Any]] = ()) -> Sheet:
        """Edit a dataset as in a spreadsheet, starting from operations that were kept; no Spark needed.

        >>> prices = ws.create("prices", [("bolt", 10), ("nut", 4)], schema="part string, price int")
        >>> sheet = ws.sheet(prices).insert_column("gross", after="price").set_column("gross", "=B1*2")
        >>> sheet.set(1, "price", 5).page().values
        {'part': ['bolt', 'nut'], 'price': [10, 5], 'gross': [20, 10]}
        """
        return Sheet(self._context, version_of(self._context.store, dataset), operations_in(operations))

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
        store, engine = self._context.store, self._context.engine
        scope = Names({record.name: record for record in store.datasets()})
        made = run_cell(
            CellContext(
                store,
                engine,
                scope,
                workers=self._context.workers,
                ground=self._context.ground,
                capture=self._context.capture,
            ),
            kind,
            parameters,
        ).datasets
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
        store, key = self._context.store, name.strip().lower()
        if key not in self._notebooks:
            with store.database.read() as connection:
                record = find_notebook(connection, name)
            if record is None:
                with store.database.write("commit-notebook") as connection:
                    record = find_notebook(connection, name) or make_notebook(connection, name)
            self._notebooks[key] = Notebook(lambda: self._context, record)
        return self._notebooks[key]

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
        store = self._context.store
        with store.database.read() as connection:
            record = share_of(connection, digest_of(token.encode("utf-8", "surrogatepass")))
        return None if record is None else SharedNotebook(self._context, record)

    def drop_notebook(self, name: str) -> None:
        """Delete a notebook with its whole history, once its cells have stopped; the names it made are free again.

        Datasets its cells made stay as long as something uses them; `whence gc` moves the others to the trash.

        >>> _ = ws.notebook("scratch").append("markdown", source="a thought")
        >>> ws.drop_notebook("scratch")
        >>> "scratch" in ws.notebooks()
        False
        """
        store = self._context.store
        with store.database.read() as connection:
            record = find_notebook(connection, name)
        if record is None:
            raise unknown_notebook(name, self.notebooks())
        opened = self._notebooks.pop(name.strip().lower(), None)
        if opened is not None:
            opened.close()
        store.drop_notebook(record.id)

    def read_notebook(self, text: str, name: str | None = None) -> Notebook:
        """Take in a notebook written as text, as a new version of the notebook of that name; nothing runs.

        >>> nb = ws.notebook("original")
        >>> _ = nb.append("markdown", source="# Prices")
        >>> ws.read_notebook(nb.text, name="copy").cells[0].source
        '# Prices'
        """
        return self._taken_in(from_text(text), name)

    def import_notebook(self, path: str | os.PathLike[str], name: str | None = None) -> Notebook:
        """Take in a notebook from a file, Jupyter's (.ipynb) or our own text; nothing runs.

        >>> nb = ws.notebook("shared")
        >>> _ = nb.append("sql", source="select 1 as x", name="one")
        >>> nb.wait().export("shared.ipynb")
        >>> ws.import_notebook("shared.ipynb", name="taken over").cells[0].source
        'select 1 as x'
        """
        file = Path(path)
        try:
            text = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{file} cannot be read: {error}.") from error
        if file.suffix.lower() == ".ipynb":
            return self._taken_in(from_jupyter(text, file.stem, tuple(CELL_KINDS)), name)
        return self._taken_in(from_text(text), name)

    def _taken_in(self, content: Content, name: str | None) -> Notebook:
        for said in content.cells:
            find_kind(said.kind)
        notebook = self.notebook(name or content.name)
        notebook.replace(content.cells, content.frozen)
        return notebook

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
            export_dataset(store, version_of(store, dataset), Path(path))

    def notebooks(self) -> list[str]:
        """The names of the notebooks, oldest first."""
        with self._context.store.database.read() as connection:
            return [record.name for record in all_notebooks(connection)]

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
        self._context.queue.close()
        before = self._context.planner
        budget = before.budget
        before.close()
        # Lineage that was read before must not be answered from memory.
        self._context = Context.of(store, engine, self._context.workers, self._context.capture.settings)
        self._context.planner.workload = before.workload
        if budget is not None:
            self._context.planner.set(budget)
        return [record.label for record in went]

    def close(self) -> None:
        """Let go of the folder; Spark keeps running for other workspaces of this process."""
        for notebook in self._notebooks.values():
            notebook.close()
        self._context.workers.close()
        self._context.planner.close()
        self._context.queue.close()
        self._context.store.close()

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

    def _table(self, data: object, schema: str | None) -> pa.Table:
        engine = self._context.engine
        arrow = None if schema is None else plain_schema(schema) or engine.arrow_schema(schema)
        if isinstance(data, Frame):
            data = engine.to_arrow(data)
        elif hasattr(data, "to_dict") and hasattr(data, "iloc"):
            data = pa.Table.from_pandas(data, preserve_index=False)
        if isinstance(data, pa.Table):
            return data if arrow is None else data.rename_columns(arrow.names).cast(arrow)
        if not isinstance(data, Sequence) or isinstance(data, str | bytes):
            raise BadInput(
                f"A dataset cannot be made from {type(data).__name__}.", "Give rows, pandas, Arrow or Spark."
            )
        if arrow is None:
            raise BadInput("Rows need a schema.", 'For example: schema="id int, x double".')
        return rows_to_table(data, arrow)

    def _is_tiled(
        self, operator: Operator, records: list[DatasetRecord], lineage: str | None, asked: bool | None
    ) -> bool:
        can = lineage in (None, "map") and can_be_tiled(self._context.store, operator, records)
        if asked and not can:
            raise UserError(
                f"{operator.name} cannot be run tile by tile.",
                "That takes a radius, no lineage but a map, and arrays of one shape.",
            )
        return can and (asked or (asked is None and max(each.rows for each in records) >= MANY_CELLS))

    def _filled(self, text: str, placeholders: dict[str, object]) -> str:
        for key, value in placeholders.items():
            text = re.sub(r"\{" + re.escape(key) + r"\}", self._placeholder(key, value), text)
        return text

    def _placeholder(self, key: str, value: object) -> str:
        if not isinstance(value, Rows | Dataset):
            raise UserError(f"{{{key}}} takes a dataset or rows, not {type(value).__name__}.")
        view = f"__whence_{key}"
        self._context.engine.name(view, value.df)
        return view


def open(
    path: str | os.PathLike[str],
    master: str = "local[*]",
    spark: Session | None = None,
    max_dataset_bytes: int | None = None,
    storage: str | os.PathLike[str] | None = None,
    settings: Mapping[str, str] | None = None,
    profile: Profile = "library",
) -> Workspace:
    """Open a workspace folder, made if it is missing; Spark starts on first need.

    A dataset may take `max_dataset_bytes` on the disk, or a third of what is free there. A master other than local
    needs `storage`, a folder that this machine and all executors see under one path; it is chosen once. `settings` are
    Spark's own and stand above ours (`{"spark.ui.enabled": "true"}`); the first workspace of a process starts Spark.
    The profile "server" is for cells that others write: queries are checked, and Python cells may use PySpark.

    >>> with whence.open("letters.whence") as letters:
    ...     letters.create("abc", [("a",), ("b",)], schema="letter string").count
    2
    """
    runs_on = master if spark is None else master_of(spark)
    if storage is None and not is_local(runs_on) and storage_of(Path(path).resolve()) is None:
        raise UserError(
            f"A workspace on {runs_on} needs a place that all its executors can write to.",
            "Pass storage=, a folder that this machine and all of them see under one path.",
        )
    store = Store.open(Path(path), max_dataset_bytes, None if storage is None else os.fspath(storage))
    try:
        return Workspace(store, partial(Engine, store, master, spark, settings, profile))
    except BaseException:
        store.close()
        raise
