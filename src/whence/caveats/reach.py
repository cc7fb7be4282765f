"""Which doubt flags some caveats can cause in a dataset: followed forwards from its inputs.

Of a dataset that was made before anything was acknowledged no flag is added: what the rules of the plan found certain
stays so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whence.caveats.influence import ROW, ROW_SET, Influences, InfluencingPart, Part, unused_rows
from whence.caveats.own_caveats import SUMMARIES, Mask, OwnCaveats
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.store import Store


@dataclass(frozen=True)
class FlagMasks:
    """The doubt flags of one dataset version: a mask of its rows for each part that has any, and the row set."""

    masks: Mapping[Part, Mask]
    row_set: bool

    def any(self, part: Part) -> bool:
        """Whether anything of this part is flagged."""
        return self.row_set if part == ROW_SET else part in self.masks

    @property
    def is_certain(self) -> bool:
        """Nothing is flagged."""
        return not self.masks and not self.row_set

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same flags."""
        hashed = sorted((str(part), hashlib.sha256(mask.tobytes()).hexdigest()) for part, mask in self.masks.items())
        return hashlib.sha256(json.dumps([hashed, self.row_set]).encode()).hexdigest()

    def where_also(self, other: FlagMasks) -> FlagMasks:
        """Only what is flagged here and there."""
        both = {part: mask & other.masks[part] for part, mask in self.masks.items() if part in other.masks}
        return FlagMasks({part: mask for part, mask in both.items() if mask.any()}, self.row_set and other.row_set)

    def or_where(self, other: FlagMasks) -> FlagMasks:
        """What is flagged here or there."""
        parts = {**self.masks, **other.masks}
        both = {part: mask | self.masks.get(part, mask) for part, mask in parts.items()}
        return FlagMasks(both, self.row_set or other.row_set)

    @property
    def cells(self) -> int:
        """How many cells are flagged."""
        return sum(int(mask.sum()) for part, mask in self.masks.items() if isinstance(part, str))


@dataclass(frozen=True)
class CaveatHypothesis:
    """Which caveats are taken to hold: for a dataset, a mask of its own ones, None for all of them.

    `passes_doubts` says whether a step without rules passes doubts on to its result. `input_flags` knows the flags of
    inputs, where they are not to be worked out in the same way.
    """

    own_mask: Callable[[DatasetRecord], Mask | None]
    passes_doubts: Callable[[DatasetRecord], bool]
    input_flags: Callable[[DatasetRecord], FlagMasks] | None = None


class Reach:
    """The doubt flags of datasets of one workspace, if just these caveats held."""

    def __init__(
        self,
        store: Store,
        edges: Edges,
        influences: Influences,
        own: OwnCaveats,
        stored: Callable[[DatasetRecord], FlagMasks],
        doubted: CaveatHypothesis,
    ) -> None:
        self._store = store
        self._edges = edges
        self._influences = influences
        self._own = own
        self._stored = stored
        self._doubted = doubted
        self._known: dict[DatasetId, FlagMasks] = {}

    def reached_flags(self, record: DatasetRecord) -> FlagMasks:
        """Of its stored flags, those that these caveats can reach."""
        if record.id not in self._known:
            stored = self._stored(record)
            masks = {part: mask & self._alive(record, part)[: record.rows] for part, mask in stored.masks.items()}
            row_set = stored.row_set and bool(self._alive(record, ROW_SET).any())
            self._known[record.id] = FlagMasks({part: mask for part, mask in masks.items() if mask.any()}, row_set)
        return self._known[record.id]

    def reachable(self, record: DatasetRecord) -> FlagMasks:
        """All that these caveats can reach, whatever was flagged when the dataset was made."""
        parts: tuple[Part, ...] = (*record.schema.names, ROW)
        masks = {part: self._alive(record, part)[: record.rows] for part in parts}
        row_set = bool(self._alive(record, ROW_SET).any())
        return FlagMasks({part: mask for part, mask in masks.items() if mask.any()}, row_set)

    def _alive(self, record: DatasetRecord, part: Part) -> Mask:
        """The rows that a caveat can reach; for the row set, any place stands for it."""
        # One place at least: the row set of an empty dataset can be in doubt, too.
        alive = np.zeros(max(record.rows, 1), dtype=bool)
        self._add_own(record, part, alive)
        document = self._edges.document(record)
        if document is None or alive.all():
            return alive
        if self._influences.passes_blindly(record, part) and not self._doubted.passes_doubts(record):
            return alive
        for influence in self._influences.on(record, part):
            self._add_inherited(record, self._store.by_id(document.sources[influence.source]), influence, alive)
        return alive

    def _add_own(self, record: DatasetRecord, part: Part, alive: Mask) -> None:
        chosen = self._doubted.own_mask(record)
        for each in self._own.sets(record):
            if each.family in SUMMARIES or not self._own.reaches(record, each, part):
                continue
            holds = np.ones(len(each.places), dtype=bool) if chosen is None else chosen[each.places]
            if each.rows is not None and part != ROW_SET:
                alive[each.rows[holds]] = True
            elif holds.any():
                alive[self._own.rows_behind(record, each, part, holds, self._edges)] = True

    def _add_inherited(
        self, record: DatasetRecord, source: DatasetRecord, influence: InfluencingPart, alive: Mask
    ) -> None:
        flagged = (self._doubted.input_flags or self.reached_flags)(source)
        if not flagged.any(influence.part):
            return
        if influence.scope == "anywhere":
            alive[:] = True
        else:
            rows = np.flatnonzero(flagged.masks[influence.part])
            if (
                influence.scope == "absent"
                and np.isin(rows, unused_rows(self._edges, record, source, influence.source)).any()
            ):
                alive[:] = True
                return
            alive[self._edges.forward(record, influence.source, rows)] = True
