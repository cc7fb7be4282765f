"""The rows behind marked values as a frame of Spark: their group, their number, and the columns that are read."""

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
    """Makes the frame when it is first asked for, and removes its files when nobody holds it any more."""

    def __init__(
        self, engine: Engine, folder: Path, owner: Ints, main: ColumnRequest, wanted: Sequence[ColumnRequest]
    ) -> None:
        self._engine = engine
        self._folder = folder / f"explain-{uuid.uuid4().hex}"
        self._owner = owner
        self._main = main
        self._wanted = wanted
        self._finalizer = weakref.finalize(self, rmtree, self._folder, ignore_errors=True)

    @property
    def names(self) -> list[str]:
        """What each of the wanted columns is called in the frame."""
        return [f"c{number}" for number in range(len(self._wanted))]

    @property
    def owners(self) -> str | None:
        """Where the group of every row lies by its number: enough if all is read from one dataset, each row once."""
        return str(self._folder / "owners.npy") if self._is_plain else None

    @property
    def _is_plain(self) -> bool:
        main = self._main
        is_one = all(each.record.id == main.record.id and each.rids is main.rids for each in self._wanted)
        return is_one and _is_unique(main.rids, main.record.rows)

    def __call__(self) -> Frame:
        """The frame."""
        self._folder.mkdir(parents=True, exist_ok=True)
        columns = dict(zip(self.names, (each.column for each in self._wanted), strict=True))
        if self.owners is not None:
            owners = np.full(self._main.record.rows, -1, dtype=np.int32)
            owners[self._main.rids] = self._owner
            np.save(self.owners, owners)
            return scan_rows(self._engine, self._main.record, RID, columns)
        return self._joined()

    def _joined(self) -> Frame:
        """One row for each derivation, which lists the rows it stands on; Spark looks those up."""
        listed = {OWNER: pa.array(self._owner), RID: pa.array(self._main.rids)}
        places: dict[int, tuple[DatasetRecord, str, dict[str, str]]] = {}
        for name, each in zip(self.names, self._wanted, strict=True):
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
