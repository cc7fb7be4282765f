"""Stores the row key of a derived dataset: its definition as a document, hidden values as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.plan.expr import Column
from whence.plan.rowkey import BranchKey, CombinedKey, NumberedKey, PaddedKey, RowKey, SourceRowKey, ValueKey
from whence.store.arrays import Array
from whence.store.key_columns import DOCUMENT
from whence.store.layout import HIDDEN_KEYS
from whence.store.rowkeys import Keys, hashed

Json = dict[str, object]

_NULL = np.iinfo(np.int64).min


@dataclass(frozen=True)
class StoredKey:
    """What is kept with a dataset so that the keys of its rows can be told."""

    documents: Mapping[str, Json] = field(default_factory=dict)
    arrays: Mapping[str, Mapping[str, Array]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, key: RowKey | None, shown: Mapping[Column, str], hidden: tuple[Column, ...], beside: pa.Table, first: int
    ) -> StoredKey:
        """A key whose columns are shown under these names, or stand beside the rows from this column on."""
        if key is None:
            return cls()
        places: dict[Column, Json] = {column: {"stored": number} for number, column in enumerate(hidden)}
        places |= {column: {"shown": name} for column, name in shown.items()}
        arrays: dict[str, Array] = {}
        for number in range(len(hidden)):
            arrays |= _arrays(number, beside.column(first + number))
        return cls({DOCUMENT: {"key": _to_json(key, places)}}, {HIDDEN_KEYS: arrays} if arrays else {})


def stored_values(number: int, arrays: Mapping[str, Array]) -> Keys:
    """Return the hashes of a hidden key column."""
    whole = arrays.get(f"v{number}")
    if whole is None:
        words = [arrays[f"v{number}{word}"].astype(np.uint64) for word in "ab"]
        return np.stack(words, axis=1)
    return hashed(pa.array(whole, pa.int64(), mask=whole == _NULL))


def stored_numbers(number: int, arrays: Mapping[str, Array]) -> npt.NDArray[np.int64]:
    """Return a hidden key column of small numbers; NULL is negative."""
    return arrays[f"v{number}"].astype(np.int64)


def _arrays(number: int, values: pa.ChunkedArray) -> dict[str, Array]:
    """Whole numbers as they are, for they take little room; of anything else only the hash."""
    if pa.types.is_integer(values.type):
        whole = pc.fill_null(pc.cast(values, pa.int64()), _NULL)
        return {f"v{number}": whole.to_numpy()}
    words = hashed(values)
    return {f"v{number}a": words[:, 0], f"v{number}b": words[:, 1]}


def _to_json(key: RowKey, places: Mapping[Column, Json]) -> Json:
    match key:
        case SourceRowKey():
            return {"row": key.source}
        case ValueKey():
            return {"values": [places[column] for column in key.columns]}
        case CombinedKey():
            return {"all": [_to_json(each, places) for each in key.keys]}
        case BranchKey():
            return {"branch": places[key.branch], "keys": [_to_json(each, places) for each in key.keys]}
        case PaddedKey():
            return {"padded": _to_json(key.key, places), "label": places[key.label]}
        case NumberedKey():
            return _to_json(key.key, places)
