"""How operations name rows and columns so that they are found again when the data below the sheet has changed.

A row is `k:` and its key, or `r:` with a dataset version and a rid, which is the same without asking for the key, or
`n:` with the operation that made it. A column is `c:` and its name in the data, or `n:` with the operation.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from whence.lineage.rowkeys import RowKeys, as_texts
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.store.rowkeys import Keys
from whence.store.store import Store


def by_rid(dataset: str, rid: int) -> str:
    """A row by version and rid."""
    return f"r:{dataset}:{rid}"


def by_key(key: str) -> str:
    """A row by its key."""
    return f"k:{key}"


def new_row(operation: str, number: int) -> str:
    """A row that an operation made."""
    return f"n:{operation}:{number}"


def of_column(name: str) -> str:
    """A column of the data."""
    return f"c:{name}"


def new_column(operation: str) -> str:
    """A column that an operation made."""
    return f"n:{operation}"


class Addresses:
    """Finds the rows of one dataset version."""

    def __init__(self, store: Store, keys: RowKeys, record: DatasetRecord) -> None:
        self._store = store
        self._keys = keys
        self._record = record
        self._known: dict[str, int | None] = {}

    def learn(self, addresses: Iterable[str]) -> None:
        """Look these up together: that costs as much as one."""
        foreign = [each for each in dict.fromkeys(addresses) if each not in self._known and each[:2] != "n:"]
        foreign = [each for each in foreign if self._own(each) is None]
        wanted = {each: key for each, key in self._keys_of(foreign).items() if key is not None}
        found = self._rids(set(wanted.values())) if wanted else {}
        self._known |= {each: found.get(wanted.get(each, "")) for each in foreign}

    def rid(self, address: str) -> int | None:
        """The rid of a row of the data; None if it is gone."""
        own = self._own(address)
        if own is not None:
            return own
        if address not in self._known:
            self.learn([address])
        return self._known[address]

    def as_keys(self, addresses: Iterable[str]) -> dict[str, str]:
        """The same rows named by their keys; those that cannot be named so stay as they are."""
        keys = self._keys_of([each for each in dict.fromkeys(addresses) if each[:2] == "r:"])
        return {each: by_key(key) for each, key in keys.items() if key is not None}

    def _own(self, address: str) -> int | None:
        kind, _, rest = address.partition(":")
        dataset, _, rid = rest.partition(":")
        return int(rid) if kind == "r" and dataset == self._record.id and int(rid) < self._record.rows else None

    def _keys_of(self, addresses: list[str]) -> dict[str, str | None]:
        keys: dict[str, str | None] = {}
        by_dataset: dict[str, list[tuple[str, int]]] = {}
        for address in addresses:
            kind, _, rest = address.partition(":")
            if kind == "k":
                keys[address] = rest
            else:
                dataset, _, rid = rest.partition(":")
                by_dataset.setdefault(dataset, []).append((address, int(rid)))
        for dataset, rows in by_dataset.items():
            every = self._all_keys(dataset)
            rids = np.array([rid for _, rid in rows], dtype=np.int64)
            texts = [None] * len(rows) if every is None else as_texts(every[rids])
            keys |= dict(zip((address for address, _ in rows), texts, strict=True))
        return keys

    def _all_keys(self, dataset: str) -> Keys | None:
        """None for a version that was forgotten, or never was in this workspace."""
        try:
            return self._keys.of(self._store.by_id(DatasetId(dataset)))
        except WhenceError:
            return None

    def _rids(self, wanted: set[str]) -> dict[str, int]:
        """Among ten million keys only those are looked at closely whose first word is wanted."""
        every = self._keys.of(self._record)
        words = np.unique(np.array([int(key[:16], 16) for key in wanted], dtype=np.uint64))
        places = np.searchsorted(words, every[:, 0]).clip(max=len(words) - 1)
        near = np.flatnonzero(words[places] == every[:, 0])
        texts = zip(as_texts(every[near]), near.tolist(), strict=True)
        return {text: rid for text, rid in texts if text in wanted}
