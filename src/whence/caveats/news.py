"""Which caveats of a dataset are new since earlier versions; the same doubt about the same row is not."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.reasons import Reasons
from whence.lineage.block import Ids
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.acknowledged import CaveatKeys
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store


class News:
    """Compares caveats by the keys they keep from one version of a dataset to the next."""

    def __init__(self, store: Store, flags: DoubtFlags, reasons: Reasons) -> None:
        self._store = store
        self._flags = flags
        self._reasons = reasons

    def since(self, records: Iterable[DatasetRecord], earlier: Iterable[DatasetRecord]) -> list[list[CaveatGroup]]:
        """For each dataset the groups behind it, cut down to the caveats that were behind none of the earlier ones."""
        known = _EarlierCaveats()
        for each in earlier:
            for group in self._reasons.of(each, None, None):
                self._learn(known, group)
        return [
            [
                left
                for group in self._reasons.of(record, None, None)
                if (left := self._cut_down(group, known)) is not None
            ]
            for record in records
        ]

    def _learn(self, known: _EarlierCaveats, group: CaveatGroup) -> None:
        raised_in, places = self._origin_of(group)
        known.datasets.add(raised_in.id)
        if not isinstance(raised_in, ForgottenRecord):
            known.keys.setdefault(raised_in.name.lower(), []).append(self._flags.keys(raised_in)[places])

    def _cut_down(self, group: CaveatGroup, known: _EarlierCaveats) -> CaveatGroup | None:
        raised_in, places = self._origin_of(group)
        if isinstance(raised_in, ForgottenRecord):  # its rows are gone, and with them what they could be known by
            return None if raised_in.id in known.datasets else group
        seen = known.keys.get(raised_in.name.lower())
        if seen is None:
            return group
        fresh = places[~np.isin(self._flags.keys(raised_in)[places], np.concatenate(seen))]
        return self._reasons.narrow(group, fresh) if len(fresh) else None

    def _origin_of(self, group: CaveatGroup) -> tuple[DatasetRecord, Ids]:
        assert group.dataset is not None, "groups that were listed say where they are from"
        return self._store.by_id(group.dataset), np.array(group.places, dtype=np.int64)


class _EarlierCaveats:
    """What was behind the earlier datasets: keys by the name of the dataset that raised them."""

    def __init__(self) -> None:
        self.keys: dict[str, list[CaveatKeys]] = {}
        self.datasets: set[DatasetId] = set()
