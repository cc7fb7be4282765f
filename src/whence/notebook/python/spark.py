"""Spark for Python cells: an address to connect to, and views of datasets under names that only one run knows."""

from __future__ import annotations

from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.engine.engine import Engine
from whence.engine.parse_plan import ReadPlan
from whence.engine.query import Query
from whence.engine.shared_views import SharedViews, has_local_rows, reads_of
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.model.ids import DatasetId

OUTSIDE = "read outside the workspace"


class SparkForCells:
    """Spark Connect for one run of a cell, or for one session."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._views: SharedViews | None = None
        self._given: dict[DatasetRecord, str] = {}

    def address(self) -> tuple[str, str]:
        """Return the address to which the run connects, and its token."""
        door, views = self._engine.door, self._open()
        if door is None:
            raise _only_on_servers()
        return door.enter(views.connect_session, views.names)

    def view_of(self, record: DatasetRecord) -> str:
        """Return the name of a view of the dataset, made for this run."""
        if record not in self._given:
            self._given[record] = self._open().give(self._engine.frame(record))
        return self._given[record]

    def result_view(self) -> str:
        """Return a new name, under which the cell stores a result as a view."""
        return self._open().new_name()

    def keep(
        self, context: DeriveContext, name: str, view: str, in_python: tuple[DatasetRecord, ...], text: str
    ) -> DatasetRecord:
        """Make a dataset of a view that a cell stored under one of our names. What the view reads is checked.

        Only scans of datasets that were given to this run count as inputs. If the plan reads anything else, exact
        lineage would be false, so the dataset gets coarse lineage.
        """
        frame = self._engine.take_shared_view(self._open(), view)
        reads = reads_of(frame, ((record, str(context.store.rows_path(record))) for record in self._given))
        query = self._engine.read(frame)
        said: list[Caveat] = []
        if reads.outside:
            query = _opaque(query, f"what it {OUTSIDE}", reads.given_datasets)
            said = [Caveat(f"This was {OUTSIDE}: {'; '.join(reads.outside)}.", "lineage")]
        # The plan does not show from which datasets rows came that were in Python: it may be any that the cell read.
        elif in_python and has_local_rows(frame):
            read = dict.fromkeys((*query.sources, *(record.id for record in in_python)))
            query = _opaque(query, "a table made in Python of datasets it had read", tuple(read))
        return derive(context, Request(query, name, "python", text, caveats=tuple(said)))

    def close(self) -> None:
        """Drop the views of the run, and end its Spark session with all that runs in it."""
        if self._views is not None:
            if self._engine.door is not None:
                self._engine.door.leave(self._views.connect_session)
            self._views.close()

    def _open(self) -> SharedViews:
        if self._engine.connect is None:
            raise _only_on_servers()
        if self._views is None:
            self._views = SharedViews(self._engine.session)
        return self._views


def _opaque(query: Query, reason: str, sources: tuple[DatasetId, ...]) -> Query:
    return Query(query.frame, query.handles, ReadPlan(None, reason), sources, query.columns)


def _only_on_servers() -> NotSupported:
    return NotSupported(
        "PySpark in Python cells needs a profile for servers.",
        'Open the workspace with whence.open(path, profile="confined"), or use to_pandas, to_arrow or to_polars.',
    )
