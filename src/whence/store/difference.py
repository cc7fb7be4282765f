"""The difference between two versions of a dataset, found by row keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.store.rowkeys import Keys, columns_with_bits, has_repeats, hashed_rows, told_apart
from whence.store.same_places import same_places
from whence.store.store import Store

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ChangedCell:
    """A cell whose value differs between two versions of the same row."""

    row_before: int
    row_after: int
    column: str
    before: object
    after: object


@dataclass(frozen=True)
class RowMatches:
    """Row ids of removed rows, of added rows, and of rows in both versions (`before` and `after` are aligned)."""

    removed: Ids
    added: Ids
    before: Ids
    after: Ids


def match_rows(before: Keys, after: Keys) -> RowMatches:
    """Pair the rows of two versions by their keys, in the order of the later version."""
    if has_repeats(before[:, 0]) or has_repeats(after[:, 0]):
        in_old, in_new = _meet_by_both_words(before, after)
    else:
        in_old, in_new = _meet_by_first_word(before, after)
    order = np.argsort(in_new)
    return RowMatches(_others(len(before), in_old), _others(len(after), in_new), in_old[order], in_new[order])


def match_same(rows: int) -> RowMatches:
    """Pair every row with itself."""
    every, none = np.arange(rows, dtype=np.int64), np.empty(0, dtype=np.int64)
    return RowMatches(none, none, every, every)


def match_row_ids(before: Ids, after: Ids, count: int) -> RowMatches:
    """Pair the rows of two versions by the row of a third, of `count` rows, that each was made from, once at most."""
    place_of = np.full(count, -1, dtype=np.int64)
    place_of[before] = np.arange(len(before))
    in_old = place_of[after]
    in_new = np.flatnonzero(in_old >= 0)
    return RowMatches(_others(len(before), in_old[in_new]), np.flatnonzero(in_old < 0), in_old[in_new], in_new)


def match_contents(store: Store, before: DatasetRecord, after: DatasetRecord, columns: Sequence[str]) -> RowMatches:
    """Pair rows with the same values: first those at the same place, then the rest by their hashes."""
    same = same_places(store, before, after, columns)
    places = np.flatnonzero(same)
    old, new = (_others(record.rows, places) for record in (before, after))
    by_bits = columns_with_bits(store, (before, after), columns)
    rest = match_rows(
        *(
            told_apart(hashed_rows(store, record, columns, rows, by_bits))
            for record, rows in ((before, old), (after, new))
        )
    )
    in_old, in_new = np.concatenate([places, old[rest.before]]), np.concatenate([places, new[rest.after]])
    order = np.argsort(in_new)
    return RowMatches(old[rest.removed], new[rest.added], in_old[order], in_new[order])


def changed_cells(
    store: Store, before: DatasetRecord, after: DatasetRecord, rows: RowMatches, columns: Sequence[str]
) -> Iterator[ChangedCell]:
    """Yield the cells of paired rows that differ in one of these columns."""
    for column in columns:
        old = store.take(before, rows.before, [column]).column(0)
        new = store.take(after, rows.after, [column]).column(0)
        for place in differing_places(old, new):
            was, row = int(rows.before[place]), int(rows.after[place])
            yield ChangedCell(was, row, column, old[place].as_py(), new[place].as_py())


def _meet_by_first_word(before: Keys, after: Keys) -> tuple[Ids, Ids]:
    """Return the positions of keys that are in both. No first word repeats, so the second need only be compared.

    First words of hashes practically never repeat.
    """
    _, in_old, in_new = np.intersect1d(before[:, 0], after[:, 0], assume_unique=True, return_indices=True)
    is_same = before[in_old, 1] == after[in_new, 1]
    return in_old[is_same].astype(np.int64), in_new[is_same].astype(np.int64)


def _meet_by_both_words(before: Keys, after: Keys) -> tuple[Ids, Ids]:
    _, in_old, in_new = np.intersect1d(_packed(before), _packed(after), assume_unique=True, return_indices=True)
    return in_old.astype(np.int64), in_new.astype(np.int64)


def _packed(keys: Keys) -> npt.NDArray[np.void]:
    """Return each pair of words as one value that NumPy can sort."""
    packed: npt.NDArray[np.void] = np.ascontiguousarray(keys).view([("a", np.uint64), ("b", np.uint64)]).reshape(-1)
    return packed


def _others(count: int, places: Ids) -> Ids:
    """Return the positions that are not among these, in order."""
    is_other = np.ones(count, dtype=np.bool_)
    is_other[places] = False
    return np.flatnonzero(is_other).astype(np.int64)


def differing_places(old: pa.ChunkedArray, new: pa.ChunkedArray) -> list[int]:
    """Return the positions at which two columns differ. Null equals null, and NaN equals NaN."""
    if old.type == new.type and not pa.types.is_nested(old.type):
        return _differing_in_arrow(old, new)
    pairs = zip(old.to_pylist(), new.to_pylist(), strict=True)
    # Only NaN differs from itself.
    return [place for place, (was, now) in enumerate(pairs) if was != now and not (was != was and now != now)]


def _differing_in_arrow(old: pa.ChunkedArray, new: pa.ChunkedArray) -> list[int]:
    is_other = pc.coalesce(pc.not_equal(old, new), pc.xor(pc.is_null(old), pc.is_null(new)))
    if pa.types.is_floating(old.type):
        both_nan = pc.and_(pc.fill_null(pc.is_nan(old), False), pc.fill_null(pc.is_nan(new), False))
        is_other = pc.and_not(is_other, both_nan)
    return np.flatnonzero(is_other.to_numpy()).tolist()
