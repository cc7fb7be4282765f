"""The rows behind marked values as a Spark frame: their group, their row id, and the columns that are read."""

from __future__ import annotations

import uuid
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from whence.engine.engine import Engine
from whence.engine.fold import join_listed_rows, scan_rows
from whence.engine.frames import Frame
from whence.explain.arrays import Ints
from whence.explain.distributed.reading import OWNER, RID
from whence.model.dataset import DatasetRecord


@dataclass(frozen=True)
class ColumnRequest:
    """A column of a dataset, and the row of that dataset behind each row of the aggregate's input."""

    record: DatasetRecord
    column: str
    rids: Ints


class TemporaryFrame:
    """Builds the frame on call. Its files are deleted when this object is garbage-collected."""

    def __init__(
        self, engine: Engine, folder: Path, owner: Ints, main: ColumnRequest, wanted: Sequence[ColumnRequest]
    ) -> None:
        self._engine = engine
        self._folder = folder / f"explain-{uuid.uuid4().hex}"
        self._owner = owner
        self._main = main
        self._wanted = wanted
        # Unlike `__del__`, a finalizer also runs when the interpreter exits.
        self._finalizer = weakref.finalize(self, rmtree, self._folder, ignore_errors=True)

    @property
    def names(self) -> list[str]:
        """The name of each requested column in the frame."""
        return [f"c{number}" for number in range(len(self._wanted))]

    @property
    def owners(self) -> str | None:
        """Path of the file with the group of every row id, or None if the rows must be joined.

        The file is enough if all columns are read from one dataset and each of its rows is used at most once.
        """
        return str(self._folder / "owners.npy") if self._is_plain else None

    @property
    def _is_plain(self) -> bool:
        main = self._main
        is_one = all(each.record.id == main.record.id and each.rids is main.rids for each in self._wanted)
        return is_one and _is_unique(main.rids, main.record.rows)

    def __call__(self) -> Frame:
        """Write the files that the frame needs, and return the frame."""
        self._folder.mkdir(parents=True, exist_ok=True)
        columns = dict(zip(self.names, (each.column for each in self._wanted), strict=True))
        if self.owners is not None:
            # A plain scan and an array replace a join: each row id has at most one group.
            owners = np.full(self._main.record.rows, -1, dtype=np.int32)
            owners[self._main.rids] = self._owner
            np.save(self.owners, owners)
            return scan_rows(self._engine, self._main.record, RID, columns)
        return self._joined()

    def _joined(self) -> Frame:
        """Return a frame with one row for each derivation, joined by Spark to the rows it lists."""
        listed = {OWNER: pa.array(self._owner), RID: pa.array(self._main.rids)}
        places: dict[int, tuple[DatasetRecord, str, dict[str, str]]] = {}
        for name, each in zip(self.names, self._wanted, strict=True):
            # Columns that share an array of row ids come from the same rows, so one join brings them all.
            rid = places.setdefault(id(each.rids), (each.record, f"r{len(places)}", {}))[1]
            places[id(each.rids)][2][name] = each.column
            listed.setdefault(rid, pa.array(each.rids))
        pq.write_table(pa.table(listed), self._folder / "listed.parquet")
        return join_listed_rows(
            self._engine, self._folder / "listed.parquet", list(places.values()), self._folder / "rows.parquet"
        )


def _is_unique(rids: Ints, rows: int) -> bool:
    if len(rids) and rids.min() < 0:
        return False
    seen = np.zeros(rows, dtype=np.bool_)
    seen[rids] = True
    return int(seen.sum()) == len(rids)
