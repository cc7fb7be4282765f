"""The row keys of any dataset: of a source by its key columns, of a derived one from the keys of its sources."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from whence.lineage.block import NO_ROW, Block, Ids
from whence.lineage.edges import Edges
from whence.lineage.stored_key import stored_numbers, stored_values
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownRow
from whence.model.ids import DatasetId
from whence.store.arrays import Array
from whence.store.forgotten import ForgottenRecord
from whence.store.key_columns import DOCUMENT, key_columns
from whence.store.layout import HIDDEN_KEYS
from whence.store.memory_cache import MemoryCache
from whence.store.rowkeys import Keys, hashed_column, hashed_columns, mixed, row_keys, told_apart
from whence.store.store import Store

_DATASETS_CACHED = 16
_ALL, _BRANCH = 0x5157, 0x5158
_NONE = np.array([0x6E6F6E65, 0x656E6F6E], dtype=np.uint64)
"""The key of the padded side of an outer join."""


class _Unknowable(Exception):
    """A part of the key went with a dataset that was forgotten."""


class RowKeys:
    """Keys that stay with a row across runs and reloads, however the rows are ordered."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges
        self._keys = MemoryCache(store, self._compute, most=_DATASETS_CACHED)

    def of(self, record: DatasetRecord) -> Keys:
        """The keys of all rows in rid order, no two alike."""
        return self._keys(record.id)

    def rows(self, record: DatasetRecord, keys: Iterable[str]) -> Ids:
        """The rids of the rows with these keys, in the order given."""
        places = {text: rid for rid, text in enumerate(as_texts(self.of(record)))}
        try:
            return np.array([places[key] for key in keys], dtype=np.int64)
        except KeyError as error:
            raise UnknownRow(f"{record.label} has no row with the key {error.args[0]}.") from error

    def columns(self, record: DatasetRecord) -> tuple[str, ...]:
        """The columns the rows of a loaded or created dataset are known by."""
        document = self._store.document(record, DOCUMENT)
        if document is None:  # loaded before the list was kept
            declared = (self._store.document(record, "load_report") or {}).get("key")
            return record.schema.names if declared is None else (str(declared),)
        return key_columns(document)

    def are_by_content(self, record: DatasetRecord) -> bool:
        """Whether rows are identified by their content, because nothing is known of what they were made from."""
        return not record.is_source and self._definition(record) is None

    def source_of_rows(self, record: DatasetRecord) -> int | None:
        """The source that each row of a derived dataset is one row of; None if its rows are known by other things."""
        match None if record.is_source else self._definition(record):
            case {"row": int(source), **others} if not others:
                return source
        return None

    def _definition(self, record: DatasetRecord) -> dict[str, Any] | None:
        document = self._store.document(record, DOCUMENT)
        return None if document is None else document.get("key")  # type: ignore[return-value]

    def _compute(self, dataset: DatasetId) -> Keys:
        record = self._store.by_id(dataset)
        if record.is_source:
            return row_keys(self._store, record, self.columns(record))
        definition = self._definition(record)
        try:
            if definition is not None:
                keys = _DerivedKeys(self, self._store, self._edges, record).keys(definition)
                return told_apart(keys, lambda: hashed_columns(self._store, record, record.schema.names))
        except _Unknowable:
            pass  # the rows then have a hash of their values as key
        return row_keys(self._store, record, record.schema.names)


class _DerivedKeys:
    """The keys of one derived dataset, from what was written down when it was made."""

    def __init__(self, keys: RowKeys, store: Store, edges: Edges, record: DatasetRecord) -> None:
        self._of_sources = keys
        self._store = store
        self._edges = edges
        self._record = record

    def keys(self, definition: dict[str, Any]) -> Keys:
        """Return the key of each row as its definition says; keys may repeat."""
        count = self._record.rows
        match definition:
            case {"row": int(source), "new": {"stored": int(number)}}:
                keys = self._of_source(source)
                is_new = (keys == _NONE).all(axis=1)
                return np.where(is_new[:, None], stored_values(number, self._hidden), keys)
            case {"row": int(source)}:
                return self._of_source(source)
            case {"values": [*places]}:
                return mixed([self._values(place) for place in places], count)
            case {"all": [*keys]}:
                return mixed([self.keys(each) for each in keys], count, _ALL)
            case {"branch": {"stored": int(number)}, "keys": [*keys]}:
                branches = stored_numbers(number, self._hidden)
                total: Keys = np.empty((count, 2), dtype=np.uint64)
                total[:] = _NONE
                for branch, each in enumerate(keys):
                    chosen = branches == branch
                    total[chosen] = mixed([self.keys(each)], count, _BRANCH + branch)[chosen]
                return total
            case {"padded": inner, "label": {"stored": int(number)}}:
                is_padded = stored_numbers(number, self._hidden) < 0
                return np.where(is_padded[:, None], _NONE, self.keys(inner))
        raise ValueError(definition)

    def _of_source(self, source: int) -> Keys:
        document = self._edges.document(self._record)
        assert document is not None
        parent = self._store.by_id(document.sources[source])
        if isinstance(parent, ForgottenRecord):
            raise _Unknowable
        rids = one_row_of(self._edges.block(self._record), source)
        keys = np.concatenate([self._of_sources.of(parent), _NONE[None, :]])
        return keys[rids]  # nobody is the last one

    def _values(self, place: dict[str, Any]) -> Keys:
        if "stored" in place:
            return stored_values(place["stored"], self._hidden)
        return hashed_column(self._store, self._record, place["shown"])

    @cached_property
    def _hidden(self) -> dict[str, Array]:
        found = self._store.arrays(self._record, HIDDEN_KEYS)
        if found is None:
            raise _Unknowable
        return found


def one_row_of(block: Block, source: int) -> Ids:
    """The one row of a source that each output row was made from, in which every derivation of it agrees."""
    rids = np.full(block.rows, NO_ROW, dtype=np.int64)
    for part in block.parts:
        if source in part.sources:
            ids = part.sources[source]
            rids[part.out_ids(block.rows)] = ids
    return rids


def as_texts(keys: Keys) -> list[str]:
    """Keys as users see them: 32 hexadecimal digits."""
    data = keys.astype(">u8").tobytes().hex()
    return [data[start : start + 32] for start in range(0, len(data), 32)]
