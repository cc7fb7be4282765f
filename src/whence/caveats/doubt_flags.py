"""Doubt flags of the rows of each part of a dataset: as stored, and as acknowledged caveats leave them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from whence.caveats.flag_cache import FlagCache
from whence.caveats.identity import Identity
from whence.caveats.influence import ROW, Influences, Part
from whence.caveats.own_caveats import SUMMARIES, Mask, OwnCaveats
from whence.caveats.reach import CaveatHypothesis, FlagMasks, Reach
from whence.caveats.recomputed_flags import RecomputedFlags
from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.rowkeys import RowKeys
from whence.lineage.trace import Trace
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.ids import DatasetId
from whence.model.schema import ROW_FLAG_COLUMN, flag_column
from whence.store.acknowledged import CaveatKeys
from whence.store.forgotten import ForgottenRecord
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store, row_flag_name


class DoubtFlags:
    """Doubt flags as they stand now. Where nothing is acknowledged they are as stored, and nothing is computed."""

    def __init__(
        self,
        store: Store,
        edges: Edges,
        trace: Trace,
        keys: RowKeys,
        influences: Influences,
        own: OwnCaveats,
        recomputed: RecomputedFlags,
    ) -> None:
        self._kept = FlagCache(store)
        self._recomputed = recomputed
        self._store = store
        self._edges = edges
        self._trace = trace
        self._influences = influences
        self._own = own
        self._identity = Identity(store, keys)
        self._stored = MemoryCache(store, self._read_stored, most=64)
        # The epoch of acknowledgements is part of their keys: after another acknowledgement all is looked at anew.
        self._done = MemoryCache(store, self._find_done, most=64)
        self._effective = MemoryCache(store, self._compute, most=64)
        self._as_stored = MemoryCache(store, self._find_as_stored, most=4096)
        self._state = MemoryCache(store, self._find_state, most=4096)

    def stored_flags(self, record: DatasetRecord) -> FlagMasks:
        """As they were when the dataset was made."""
        return self._stored(record.id)

    def listed_flags(self, record: DatasetRecord) -> FlagMasks:
        """As they were when the dataset was made, or are now: what is acknowledged stays listed."""
        if self.is_as_stored(record) or not self._was_acknowledged(record):
            return self.stored_flags(record)
        return self.stored_flags(record).or_where(self.current_flags(record))

    def current_flags(self, record: DatasetRecord) -> FlagMasks:
        """Without those that only acknowledged caveats stand behind."""
        if self.is_as_stored(record):
            return self.stored_flags(record)
        return self._effective(record.id, self._store.acknowledged.epoch)

    def is_as_stored(self, record: DatasetRecord) -> bool:
        """Whether the stored flags hold: its inputs have the flags they had then, and no own caveat is acknowledged."""
        epoch = self._store.acknowledged.epoch
        for each in reversed(self._trace.ancestors(record)):  # the oldest first: a long history is no deep recursion
            self._state(each.id, epoch)
        return self._as_stored(record.id, epoch)

    def _find_as_stored(self, dataset: DatasetId, epoch: int) -> bool:
        record = self._store.by_id(dataset)
        if isinstance(record, ForgottenRecord):
            return True
        done = self.acknowledged_mask(record)
        if done is not None and done.any():
            return False
        made_over = self._influences.about(record).inputs.items()
        still = {each: state for each, state in made_over if not isinstance(self._store.by_id(each), ForgottenRecord)}
        return still == self._states(record.parents)

    def states(self, datasets: Iterable[DatasetId]) -> dict[DatasetId, str]:
        """A text for the flags of each of these that are not as they were stored; another one for other flags."""
        chosen = tuple(datasets)
        for dataset in chosen:
            self.is_as_stored(self._store.by_id(dataset))
        return self._states(chosen)

    def _states(self, datasets: Iterable[DatasetId]) -> dict[DatasetId, str]:
        found = {dataset: self._state(dataset, self._store.acknowledged.epoch) for dataset in datasets}
        return {dataset: state for dataset, state in found.items() if state}

    def _find_state(self, dataset: DatasetId, epoch: int) -> str:
        record = self._store.by_id(dataset)
        if self._as_stored(dataset, epoch):
            return ""
        stored, now = self.stored_flags(record), self.current_flags(record)
        return "" if now.fingerprint == stored.fingerprint else now.fingerprint

    def doubt(self, record: DatasetRecord) -> Doubt:
        """Which parts carry any flag now."""
        if self.is_as_stored(record):
            return record.doubt
        flagged = self.current_flags(record)
        columns = frozenset(part for part in flagged.masks if isinstance(part, str))
        return Doubt(columns, ROW in flagged.masks, flagged.row_set)

    def table(self, record: DatasetRecord, start: int, stop: int) -> pa.Table:
        """One boolean per user column, plus one for the row as a whole, for rows start..stop-1."""
        if self.is_as_stored(record):
            return self._store.flags(record, start, stop)
        return self.of(record, np.arange(start, stop))

    def of(self, record: DatasetRecord, rids: Ids) -> pa.Table:
        """The same for any rows."""
        masks, none = self.current_flags(record).masks, np.zeros(len(rids), dtype=bool)
        parts: tuple[Part, ...] = (*record.schema.names, ROW)
        names = [*record.schema.names, row_flag_name(record.schema.names)]
        columns = [pa.array(masks[part][rids] if part in masks else none) for part in parts]
        return pa.table(columns, names=names)

    def acknowledged_mask(self, record: DatasetRecord) -> Mask | None:
        """Which caveats of the dataset's own making are acknowledged; None if none is."""
        if not self._store.acknowledged.of(record.name):
            return None
        return self._done(record.id, self._store.acknowledged.epoch)

    def _find_done(self, dataset: DatasetId, epoch: int) -> Mask:
        record = self._store.by_id(dataset)
        every = np.concatenate([each.keys for each in self._store.acknowledged.of(record.name)])
        return np.isin(self._identity.keys(record), every)

    def keys(self, record: DatasetRecord) -> CaveatKeys:
        """What each caveat of the dataset's own making is known by, in this version and in others."""
        return self._identity.keys(record)

    def note(self, record: DatasetRecord, place: int) -> str:
        """What was said when this caveat was acknowledged."""
        key = self._identity.keys(record)[place]
        said = (each.note for each in reversed(self._store.acknowledged.of(record.name)) if key in each.keys)
        return next(said, "")

    def acknowledge(self, record: DatasetRecord, places: Ids, note: str) -> None:
        """Acknowledge these caveats, which the dataset's own query made."""
        self._store.acknowledged.add(record.name, np.unique(self._identity.keys(record)[places]), note)

    def revoke(self, record: DatasetRecord, places: Ids) -> None:
        """Take the acknowledgement of these caveats back."""
        self._store.acknowledged.remove(record.name, np.unique(self._identity.keys(record)[places]))

    def _read_stored(self, dataset: DatasetId) -> FlagMasks:
        record = self._store.by_id(dataset)
        if isinstance(record, ForgottenRecord) or record.doubt.is_certain:
            return FlagMasks({}, False)
        columns = [name for name in record.schema.names if name in record.doubt.columns]
        names = [flag_column(record.schema.names.index(name)) for name in columns]
        names += [ROW_FLAG_COLUMN] if record.doubt.rows else []
        parts: list[Part] = [*columns, *([ROW] if record.doubt.rows else [])]
        table = self._store.read(record, 0, record.rows, names)
        masks = {part: _mask(table.column(number)) for number, part in enumerate(parts)}
        return FlagMasks({part: mask for part, mask in masks.items() if mask.any()}, record.doubt.row_set)

    def flags_of_group(self, record: DatasetRecord, group: CaveatGroup) -> FlagMasks:
        """The flags that the caveats of this group can have put there."""

        def own(each: DatasetRecord) -> Mask | None:
            chosen = np.zeros(self._store.caveat_table(each).num_rows, dtype=bool)
            if each.id == group.dataset:
                chosen[np.array(group.places, dtype=np.int64)] = True
            return chosen

        return self._reach(CaveatHypothesis(own, lambda _: True)).reached_flags(record)

    def _compute(self, dataset: DatasetId, epoch: int) -> FlagMasks:
        """Compute the flags: those that some open caveat can reach and that a fresh run of the query sets, too."""
        record = self._store.by_id(dataset)
        question = self._question(record)
        known = self._kept.read(record, question)
        if known is not None:
            return known
        left = self._remaining_flags(record)
        if left.is_certain or self._influences.only_copies(record):
            return left
        again = self._recomputed.of(record, self.settled_sites(record))
        if again is None:
            return left
        exact = left.where_also(again)
        self._kept.write(record, question, exact)
        return exact

    def _remaining_flags(self, record: DatasetRecord) -> FlagMasks:
        """The flags that something can still reach, found along lineage.

        What was certain when the dataset was made stays so, unless some of its inputs were acknowledged then.
        """

        def own(each: DatasetRecord) -> Mask | None:
            done = self.acknowledged_mask(each)
            return None if done is None else ~done

        reach = self._reach(CaveatHypothesis(own, self._has_open_summary, self.current_flags))
        return reach.reachable(record) if self._was_acknowledged(record) else reach.reached_flags(record)

    def _was_acknowledged(self, record: DatasetRecord) -> bool:
        """Some doubt was acknowledged when it, or something it was made from, was made: its flags lack that one."""
        return any(self._influences.about(each).inputs for each in (record, *self._trace.ancestors(record)))

    def _question(self, record: DatasetRecord) -> list[object]:
        """Return what its flags depend on: the flags of its inputs, and which of its own caveats are acknowledged."""
        done = self.acknowledged_mask(record)
        own = "" if done is None or not done.any() else hashlib.sha256(np.packbits(done).tobytes()).hexdigest()
        return [own, sorted(self.states(record.parents).items())]

    def settled_sites(self, record: DatasetRecord) -> frozenset[int]:
        """The sites of its own query of which every caveat is acknowledged."""
        done = self.acknowledged_mask(record)
        if done is None:
            return frozenset()
        mine = [each for each in self._own.sets(record) if each.site is not None]
        still = {each.site for each in mine if not done[each.places].all()}
        return frozenset(each.site for each in mine if each.site is not None and each.site not in still)

    def _reach(self, doubted: CaveatHypothesis) -> Reach:
        return Reach(
            store=self._store,
            edges=self._edges,
            influences=self._influences,
            own=self._own,
            stored=self.stored_flags,
            doubted=doubted,
        )

    def _has_open_summary(self, record: DatasetRecord) -> bool:
        """Whether doubts pass through a step without rules: not if the summary caveat that says so is acknowledged."""
        done = self.acknowledged_mask(record)
        sets = [each for each in self._own.sets(record) if each.family in SUMMARIES]
        return not sets or any(done is None or not done[each.places].all() for each in sets)


def _mask(column: pa.ChunkedArray) -> Mask:
    mask: Mask = column.fill_null(False).to_numpy().astype(bool)
    return mask
