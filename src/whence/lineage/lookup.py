"""The interface of an edge between two datasets, in either direction: from rows on one end to rows on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from whence.lineage.block import Ids
from whence.lineage.selection import Selection


class Lookup(Protocol):
    """From keys 0..key_count-1 to values 0..value_count-1. A kind of edge may answer in its own way."""

    @property
    def key_count(self) -> int:
        """How many rows can be asked about."""

    @property
    def value_count(self) -> int:
        """How many rows answers can name."""

    def of(self, keys: Ids) -> Ids:
        """The values of these keys, key by key; sorted and each once within a key."""

    def lengths(self, keys: Ids) -> Ids:
        """How many values each of these keys has."""

    def select(self, keys: Selection) -> Selection:
        """The values of all these keys together."""


@runtime_checkable
class AnswersItself(Protocol):
    """A part of a block that answers without stored pairs, such as the frames of a window."""

    def lookup(self, source: int, source_rows: int, *, backward: bool) -> Lookup | None:
        """The lookup for one source, None if this part does not know it."""


@dataclass(frozen=True)
class IdentityLookup:
    """Each row was made from the row of the same number: nothing is stored."""

    key_count: int

    @property
    def value_count(self) -> int:
        """As many as keys."""
        return self.key_count

    def of(self, keys: Ids) -> Ids:
        """The keys themselves."""
        return keys

    def lengths(self, keys: Ids) -> Ids:
        """One each."""
        return np.ones(len(keys), dtype=np.int64)

    def select(self, keys: Selection) -> Selection:
        """The keys themselves."""
        return keys


@dataclass(frozen=True)
class CoarseLookup:
    """Every row may come from every row."""

    key_count: int
    value_count: int

    def of(self, keys: Ids) -> Ids:
        """Everything, for each key."""
        return np.tile(np.arange(self.value_count, dtype=np.int64), len(keys))

    def lengths(self, keys: Ids) -> Ids:
        """Everything, for each key."""
        return np.full(len(keys), self.value_count, dtype=np.int64)

    def select(self, keys: Selection) -> Selection:
        """Everything, unless nothing was asked about."""
        return Selection.everything(self.value_count) if keys.count else Selection.nothing(self.value_count)


@dataclass(frozen=True)
class UnionLookup:
    """What several lookups say about the same rows, together."""

    parts: tuple[Lookup, ...]

    @property
    def key_count(self) -> int:
        """The same for all."""
        return self.parts[0].key_count

    @property
    def value_count(self) -> int:
        """The same for all."""
        return self.parts[0].value_count

    def of(self, keys: Ids) -> Ids:
        """Key by key, so that what several say about one key stands together."""
        return self._pairs(keys)[1]

    def lengths(self, keys: Ids) -> Ids:
        """Counted after what is said twice was dropped."""
        return np.bincount(self._pairs(keys)[0], minlength=len(keys))

    def select(self, keys: Selection) -> Selection:
        """Of any of them."""
        found = Selection.nothing(self.value_count)
        for part in self.parts:
            found |= part.select(keys)
        return found

    def _pairs(self, keys: Ids) -> tuple[Ids, Ids]:
        places = np.arange(len(keys), dtype=np.int64)
        owners = np.concatenate([np.repeat(places, part.lengths(keys)) for part in self.parts])
        return unique_pairs(owners, np.concatenate([part.of(keys) for part in self.parts]))


def unique_pairs(left: Ids, right: Ids) -> tuple[Ids, Ids]:
    """Each pair once, sorted."""
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    keep = np.ones(len(left), dtype=bool)
    keep[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    return left[keep], right[keep]
