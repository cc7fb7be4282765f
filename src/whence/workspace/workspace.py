"""`Workspace`: the handle that users open. It takes data in, runs queries and gives out datasets."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, overload

from whence.arrays.plan_report import LineagePlan
from whence.engine.engine import Engine
from whence.engine.scan import StoredFlags
from whence.model.certificate import Certificate
from whence.model.errors import BadInput, WhenceError
from whence.model.lazy_module import LazyModule
from whence.model.plural import counted
from whence.store.archive import export_archive
from whence.store.store import Store
from whence.workspace.budget import set_budget
from whence.workspace.capture import CaptureControl
from whence.workspace.compose import compose
from whence.workspace.data_intake import DataIntake
from whence.workspace.dataset import Dataset
from whence.workspace.dataset_maker import DatasetMaker
from whence.workspace.forget_datasets import forget_datasets
from whence.workspace.notebook_access import NotebookAccess
from whence.workspace.record_later import record_after_exit
from whence.workspace.references import version_of
from whence.workspace.send_events import start_delivery

if TYPE_CHECKING:
    from openlineage.client import OpenLineageClient

    import whence.notebook.export.export as exports
    import whence.workspace.forgetting.forget_rows as forgetting
    import whence.workspace.forgetting.reach as reaching
    from whence.workspace.forgetting.reach import ForgettingPlan
else:
    # Writers of files load with the first export, and what makes versions again with the first rows to forget.
    exports = LazyModule("whence.notebook.export.export")
    forgetting = LazyModule("whence.workspace.forgetting.forget_rows")
    reaching = LazyModule("whence.workspace.forgetting.reach")


class Workspace(DataIntake, DatasetMaker, NotebookAccess):
    """A folder of datasets with their lineage, caveats and notebooks. Close it, or use it in a `with` block.

    Data comes in with `load`, `create` and `array`: see `DataIntake`. Datasets are made from datasets with `sql`,
    `dataset`, `apply`, `lens` and `sheet`: see `DatasetMaker`. `notebook` opens one: see `NotebookAccess`.
    `ws["name"]`, `datasets` and `diff` read what is there: see `WorkspaceReader`.
    """

    def __init__(
        self, store: Store, make_engine: Callable[[StoredFlags], Engine], client: OpenLineageClient | None = None
    ) -> None:
        """Build the services of the workspace. `make_engine` takes the doubt flags that queries read."""
        super().__init__(compose(store, make_engine))
        self.capture = CaptureControl(store, self._context.writers.capture)
        self.openlineage = start_delivery(self._context, client)
        """Who sends OpenLineage events: `pending`, `last_error`, `lost` and `flush(seconds)`. None if no one does."""

    def lineage_budget(
        self,
        disk: str | float | None = None,
        slowdown: float | None = None,
        workload: Sequence[Sequence[object]] | None = None,
        pins: Mapping[str, str] | None = None,
    ) -> None:
        """Set what lineage may cost and which questions it should answer. A planner then decides what to store.

        `workload` lists questions, such as `("backward", "stars", "raw")`, with a weight if some are asked more often,
        or `("totals", "sums", "sales", {"by": ["month"], "measures": ["n"]})` for filters and totals by attributes.
        Without it the planner counts the questions that were asked so far. `pins` maps a dataset to the way in which
        its lineage must be stored. The planner works in the background.

        >>> import numpy as np
        >>> from whence.arrays import Add
        >>> raw, more = ws.array("raw", np.zeros(4)), ws.apply(Add(1.0), "raw", name="more")
        >>> ws.lineage_budget(disk="10MB", slowdown=1.2, workload=[("backward", "more", "raw")])
        >>> ws.lineage_plan()["more"].kinds
        ('map',)
        """
        set_budget(self._context, disk, slowdown, workload or (), pins)

    def lineage_plan(self) -> LineagePlan:
        """Return what lineage is stored for which dataset, why, and what the next megabyte would buy.

        The call waits until the planner has finished.
        """
        return self._context.background.planner.plan()

    @overload
    def forget(
        self, dataset: Dataset | str, *, also_dependants: bool = False, keep_dependants: bool = False
    ) -> list[str]: ...

    @overload
    def forget(self, dataset: str, *, where: str, delete_unrepeatable: bool = False) -> Certificate: ...

    def forget(
        self,
        dataset: Dataset | str,
        *,
        where: str | None = None,
        also_dependants: bool = False,
        keep_dependants: bool = False,
        delete_unrepeatable: bool = False,
    ) -> list[str] | Certificate:
        """Delete a dataset version, or all versions of a name, for good, and return the labels of the deleted versions.

        Rows, caveats, lineage, the copy of the source file and the name leave the disk. If other datasets were made
        from it, either `also_dependants` deletes them as well, or `keep_dependants` keeps them without this source.

        With `where`, a SQL condition, only the rows for which it holds go, from every version of the name. What was
        made from these is made again without the rows, or deleted if that cannot be done: `plan_forgetting` shows
        which. The certificate says what went, how it was verified, and what is out of reach. If a step fails without
        the rows, nothing is forgotten, unless `delete_unrepeatable` says to delete what it made.

        >>> people = ws.create("people", [("Ada", 36), ("Bob", 51)], schema="name string, age int")
        >>> oldest = ws.sql("select max(age) as age from people", name="oldest")
        >>> certificate = ws.forget("people", where="name = 'Bob'")
        >>> certificate.count, certificate.made_again
        (1, ('oldest@1',))
        >>> ws["oldest"].to_arrow().to_pylist()
        [{'age': 36}]
        >>> ws.forget("people", also_dependants=True)
        ['people@1', 'oldest@1']
        """
        if where is not None:
            if also_dependants or keep_dependants:
                raise BadInput("where= goes with neither also_dependants nor keep_dependants.", "Leave them out.")
            return self._forget_rows(dataset, where, delete_unrepeatable=delete_unrepeatable)
        if delete_unrepeatable:
            raise BadInput("delete_unrepeatable needs where=.", "Whole datasets go with also_dependants=True.")
        went = forget_datasets(self._context, dataset, also_dependants=also_dependants, keep_dependants=keep_dependants)
        return [record.label for record in went]

    def plan_forgetting(self, dataset: str, where: str) -> ForgettingPlan:
        """Return what `forget` with this condition would do; nothing happens yet.

        >>> _ = ws.create("guests", [("Ada", 36), ("Bob", 51)], schema="name string, age int")
        >>> _ = ws.sql("select count(*) as n from guests", name="how_many")
        >>> plan = ws.plan_forgetting("guests", where="name = 'Bob'")
        >>> plan.rows, [each.label for each in plan.made_again], plan.deleted
        ({'guests@1': 1}, ['how_many@1'], ())
        """
        return reaching.plan_forgetting(self._context, dataset, where)

    def _forget_rows(self, dataset: Dataset | str, where: str, *, delete_unrepeatable: bool) -> Certificate:
        if not isinstance(dataset, str):
            raise BadInput("Rows are forgotten in all versions of a dataset.", "Give its name.")
        plan = self.plan_forgetting(dataset, where)
        return forgetting.forget_rows(self._context, plan, where, delete_unrepeatable=delete_unrepeatable)

    def export(self, path: str | os.PathLike[str], dataset: Dataset | str | None = None) -> None:
        """Write one dataset to a file. Without a dataset, write the whole workspace with its history to an archive.

        The ending of the file name chooses the format of a dataset: .csv, .json, .parquet, .xlsx or .sqlite.

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

    def close(self) -> None:
        """Stop the cells and background work, and release the folder. Spark keeps running for other workspaces."""
        # Cells run on the workers, and background jobs write to the store: so the store closes last.
        self._notebooks.close()
        if self.openlineage is not None:
            self.openlineage.close()
        self._context.background.close()
        self._context.engine.close()
        self._context.store.close()
        record_after_exit(self._context.engine.process)

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
