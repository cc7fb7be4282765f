"""Which rows of each part of a dataset are marked: as they were stored, and as acknowledged caveats leave them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa

from whence.caveats.identity import Identity
from whence.caveats.influence import ROW, Influences, Part
from whence.caveats.own import SUMMARIES, Mask, OwnCaveats
from whence.caveats.reach import Doubted, Marked, Reach
from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.rowkeys import RowKeys
from whence.lineage.trace import Trace
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.ids import DatasetId
from whence.model.schema import ROW_MARK_COLUMN, mark_column
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store, row_mark_name


class Marks:
    """Marks as they stand now. Where nothing is acknowledged they are as stored, and nothing is computed."""

    def __init__(
        self, store: Store, edges: Edges, trace: Trace, keys: RowKeys, influences: Influences, own: OwnCaveats
    ) -> None:
        self._store = store
        self._edges = edges
        self._trace = trace
        self._influences = influences
        self._own = own
        self._identity = Identity(store, keys)
        self._stored = lru_cache(maxsize=64)(self._read_stored)
        self._done = lru_cache(maxsize=64)(self._find_done)
        self._effective = lru_cache(maxsize=64)(self._compute)

    def stored(self, record: DatasetRecord) -> Marked:
        """As they were when the dataset was made."""
        return self._stored(record.id)

    def now(self, record: DatasetRecord) -> Marked:
        """Without those that only acknowledged caveats stand behind."""
        if self.is_as_stored(record):
            return self.stored(record)
        return self._effective(record.id, self._store.acknowledged.epoch)

    def is_as_stored(self, record: DatasetRecord) -> bool:
        """No caveat of this dataset, or of any it was made from, is acknowledged."""
        known = self._store.acknowledged
        if record.doubt.is_certain or known.is_empty:
            return True
        return not any(known.of(each.name) for each in (record, *self._trace.ancestors(record)))

    def doubt(self, record: DatasetRecord) -> Doubt:
        """Which parts carry any mark now."""
        if self.is_as_stored(record):
            return record.doubt
        marked = self.now(record)
        columns = frozenset(part for part in marked.masks if isinstance(part, str))
        return Doubt(columns, ROW in marked.masks, marked.row_set)

    def table(self, record: DatasetRecord, start: int, stop: int) -> pa.Table:
        """One boolean per user column, plus one for the row as a whole, for rows start..stop-1."""
        if self.is_as_stored(record):
            return self._store.marks(record, start, stop)
        return self.of(record, np.arange(start, stop))

    def of(self, record: DatasetRecord, rids: Ids) -> pa.Table:
        """The same for any rows."""
        masks, none = self.now(record).masks, np.zeros(len(rids), dtype=bool)
        parts: tuple[Part, ...] = (*record.schema.names, ROW)
        names = [*record.schema.names, row_mark_name(record.schema.names)]
        columns = [pa.array(masks[part][rids] if part in masks else none) for part in parts]
        return pa.table(columns, names=names)

    def acknowledged(self, record: DatasetRecord) -> Mask | None:
        """Which caveats of the dataset's own making are acknowledged; None if none is."""
        if not self._store.acknowledged.of(record.name):
            return None
        return self._done(record.id, self._store.acknowledged.epoch)

    def _find_done(self, dataset: DatasetId, epoch: int) -> Mask:
        record = self._store.by_id(dataset)
        every = np.concatenate([each.keys for each in self._store.acknowledged.of(record.name)])
        return np.isin(self._identity.keys(record), every)

    def note(self, record: DatasetRecord, place: int) -> str:
        """What was said when this caveat was acknowledged."""
        key = self._identity.keys(record)[place]
        said = (each.note for each in reversed(self._store.acknowledged.of(record.name)) if key in each.keys)
        return next(said, "")

    def acknowledge(self, record: DatasetRecord, places: Ids, note: str) -> None:
        """Take these caveats of the dataset's own making upon oneself."""
        self._store.acknowledged.add(record.name, np.unique(self._identity.keys(record)[places]), note)

    def revoke(self, record: DatasetRecord, places: Ids) -> None:
        """Doubt again."""
        self._store.acknowledged.remove(record.name, np.unique(self._identity.keys(record)[places]))

    def _read_stored(self, dataset: DatasetId) -> Marked:
        record = self._store.by_id(dataset)
        if isinstance(record, ForgottenRecord) or record.doubt.is_certain:
            return Marked({}, False)
        columns = [name for name in record.schema.names if name in record.doubt.columns]
        names = [mark_column(record.schema.names.index(name)) for name in columns]
        names += [ROW_MARK_COLUMN] if record.doubt.rows else []
        parts: list[Part] = [*columns, *([ROW] if record.doubt.rows else [])]
        table = self._store.read(record, 0, record.rows, names)
        masks = {part: _mask(table.column(number)) for number, part in enumerate(parts)}
        return Marked({part: mask for part, mask in masks.items() if mask.any()}, record.doubt.row_set)

    def reached(self, record: DatasetRecord, group: CaveatGroup) -> Marked:
        """The marks that the caveats of this group can have put there."""

        def own(each: DatasetRecord) -> Mask | None:
            chosen = np.zeros(self._store.caveat_table(each).num_rows, dtype=bool)
            if each.id == group.dataset:
                chosen[np.array(group.places, dtype=np.int64)] = True
            return chosen

        return self._reach(Doubted(own, lambda _: True)).marked(record)

    def _compute(self, dataset: DatasetId, epoch: int) -> Marked:
        """A mark stays where it was stored and something that is not acknowledged can still reach it."""

        def own(each: DatasetRecord) -> Mask | None:
            done = self.acknowledged(each)
            return None if done is None else ~done

        return self._reach(Doubted(own, self._has_open_summary)).marked(self._store.by_id(dataset))

    def _reach(self, doubted: Doubted) -> Reach:
        return Reach(self._store, self._edges, self._influences, self._own, self.stored, doubted)

    def _has_open_summary(self, record: DatasetRecord) -> bool:
        """A step without rules passes doubts on, unless the caveat that says so is acknowledged."""
        done = self.acknowledged(record)
        sets = [each for each in self._own.sets(record) if each.family in SUMMARIES]
        return not sets or any(done is None or not done[each.places].all() for each in sets)


def _mask(column: pa.ChunkedArray) -> Mask:
    mask: Mask = column.fill_null(False).to_numpy().astype(bool)
    return mask
