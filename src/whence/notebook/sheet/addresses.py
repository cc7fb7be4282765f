"""Addresses: how operations name rows and columns, so that they find them again in other versions of the data.

The address of a row is `k:` and its row key; or `r:`, a dataset version and a row id, which needs no key; or `n:` and
the operation that inserted it. A column is `c:` and its name in the data, or `n:` and the operation that inserted it.
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
    """Return the address of a row by dataset version and row id."""
    return f"r:{dataset}:{rid}"


def by_key(key: str) -> str:
    """Return the address of a row by its row key."""
    return f"k:{key}"


def new_row(operation: str, number: int) -> str:
    """Return the address of the n-th row that an operation inserts."""
    return f"n:{operation}:{number}"


def of_column(name: str) -> str:
    """Return the address of a column of the data."""
    return f"c:{name}"


def new_column(operation: str) -> str:
    """Return the address of the column that an operation inserts."""
    return f"n:{operation}"


class Addresses:
    """Finds rows of one dataset version by their addresses."""

    def __init__(self, store: Store, keys: RowKeys, record: DatasetRecord) -> None:
        self._store = store
        self._keys = keys
        self._record = record
        self._known: dict[str, int | None] = {}

    def learn(self, addresses: Iterable[str]) -> None:
        """Look up many addresses together, for the cost of one: a lookup searches the keys of all rows."""
        foreign = [each for each in dict.fromkeys(addresses) if each not in self._known and each[:2] != "n:"]
        foreign = [each for each in foreign if self._own(each) is None]
        wanted = {each: key for each, key in self._keys_of(foreign).items() if key is not None}
        found = self._rids(set(wanted.values())) if wanted else {}
        self._known |= {each: found.get(wanted.get(each, "")) for each in foreign}

    def rid(self, address: str) -> int | None:
        """Return the row id of a row of the data; None if it is gone."""
        own = self._own(address)
        if own is not None:
            return own
        if address not in self._known:
            self.learn([address])
        return self._known[address]

    def as_keys(self, addresses: Iterable[str]) -> dict[str, str]:
        """Return for each `r:` address the address by row key; rows whose key is not known are left out."""
        keys = self._keys_of([each for each in dict.fromkeys(addresses) if each[:2] == "r:"])
        return {each: by_key(key) for each, key in keys.items() if key is not None}

    def _own(self, address: str) -> int | None:
        """Return the row id of an `r:` address of this version, which needs no key; None for any other address."""
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
        """Return the row keys of a version; None if it was deleted or never was in this workspace."""
        try:
            return self._keys.of(self._store.by_id(DatasetId(dataset)))
        except WhenceError:
            return None

    def _rids(self, wanted: set[str]) -> dict[str, int]:
        """Return the row id of each key that the data has.

        Only keys whose first 64 bits are wanted are written out as text and compared: there may be ten million.
        """
        every = self._keys.of(self._record)
        words = np.unique(np.array([int(key[:16], 16) for key in wanted], dtype=np.uint64))
        # Clipped: a key above all wanted ones is compared with the last of them.
        places = np.searchsorted(words, every[:, 0]).clip(max=len(words) - 1)
        near = np.flatnonzero(words[places] == every[:, 0])
        texts = zip(as_texts(every[near]), near.tolist(), strict=True)
        return {text: rid for text, rid in texts if text in wanted}
