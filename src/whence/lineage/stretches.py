"""Lineage through windows: each output row read a stretch of an order, and each place of the order has ids of its own.

Nothing is stored per pair: a running total over a million rows has 5 * 10^11 of them, but two numbers for each row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from whence.lineage.block import Block, Ids, Part, Reading
from whence.lineage.index import build_index, build_lookup
from whence.lineage.lookup import Lookup, UnionLookup, unique_pairs
from whence.lineage.selection import Selection

READINGS = "readings"
"""The name of the file they stand in."""


@dataclass(frozen=True)
class Stretches:
    """Output row `out[i]` (None: row i) read the places `first[i]` to before `end[i]` of the order.

    `sources`: for each source number of this reading, the number that the same ids have in `places`; `origin_of`: the
    source of the plan that it shows. So a cell can be asked what it read, and a row what any of its cells did.
    """

    rows: int
    out: Ids | None
    first: Ids
    end: Ids
    sources: Mapping[int, int]
    origin_of: Mapping[int, int]
    places: Block

    @property
    def bytes(self) -> int:
        """What its arrays take at four bytes a number."""
        return 4 * len(self.first) * (2 + (self.out is not None)) + self.places.bytes

    def lookup(self, source: int, source_rows: int, *, backward: bool) -> Lookup | None:
        """What was read of one source; None if nothing was."""
        numbers = [number for number in self.sources if source in (number, self.origin_of[number])]
        found = [StretchLookup(self, self.sources[number], source_rows, backward) for number in numbers]
        return UnionLookup(tuple(found)) if len(found) > 1 else next(iter(found), None)


@dataclass(frozen=True)
class StretchLookup:
    """Answers about one source of one reading, in one direction, without spelling the pairs out."""

    stretches: Stretches
    number: int
    source_rows: int
    backward: bool

    @property
    def key_count(self) -> int:
        """How many rows can be asked about."""
        return self.stretches.rows if self.backward else self.source_rows

    @property
    def value_count(self) -> int:
        """How many rows answers can name."""
        return self.source_rows if self.backward else self.stretches.rows

    def of(self, keys: Ids) -> Ids:
        """The values of these keys, key by key; sorted and each once within a key."""
        return self._pairs(keys)[1]

    def lengths(self, keys: Ids) -> Ids:
        """How many values each of these keys has."""
        return np.bincount(self._pairs(keys)[0], minlength=len(keys))

    def select(self, keys: Selection) -> Selection:
        """The values of all these keys together."""
        if keys.count == 0:
            return Selection.nothing(self.value_count)
        if self.backward:
            first, end = self._stretches_of(keys.ids)[1:]
            return self._places.select(Selection.of_sorted(_merge_places(first, end), self.stretches.places.rows))
        places = self._places.select(keys).ids
        stretches = self.stretches
        hit = np.searchsorted(places, stretches.end) > np.searchsorted(places, stretches.first)
        found = np.flatnonzero(hit)
        return Selection.of(found if stretches.out is None else stretches.out[found], self.value_count)

    def _pairs(self, keys: Ids) -> tuple[Ids, Ids]:
        """(place among the keys, value), sorted."""
        if self.backward:
            owners, first, end = self._stretches_of(keys)
            read = _list_places(first, end)
            owners = np.repeat(owners, end - first)
            return unique_pairs(np.repeat(owners, self._places.lengths(read)), self._places.of(read))
        found = [self.select(Selection.of(keys[n : n + 1], self.key_count)).ids for n in range(len(keys))]
        places = np.repeat(np.arange(len(keys), dtype=np.int64), [len(each) for each in found])
        return places, np.concatenate([np.empty(0, dtype=np.int64), *found])

    def _stretches_of(self, rows: Ids) -> tuple[Ids, Ids, Ids]:
        """The stretches of these rows, each with the place of its row among them."""
        places = np.arange(len(rows), dtype=np.int64)
        if self.stretches.out is None:
            return places, self.stretches.first[rows], self.stretches.end[rows]
        entries = build_index(self.stretches.out, np.arange(len(self.stretches.out)), self.stretches.rows)
        held = entries.of(rows)
        return np.repeat(places, entries.lengths(rows)), self.stretches.first[held], self.stretches.end[held]

    @cached_property
    def _places(self) -> Lookup:
        """From places to source rows, or back."""
        block = self.stretches.places
        # By this number alone: what other windows read for the same row is none of this one's business.
        own = lookups_under(block, self.number, self.source_rows, backward=self.backward)
        outs, ids = block.pairs(self.number)
        keys, values = (outs, ids) if self.backward else (ids, outs)
        counts = (block.rows, self.source_rows) if self.backward else (self.source_rows, block.rows)
        listed = build_lookup(keys, values, *counts)
        return UnionLookup((listed, *own)) if own else listed


def lookups_under(block: Block, number: int, source_rows: int, *, backward: bool) -> tuple[Lookup, ...]:
    """What the block read through windows under just this number."""
    readings = (each for each in block.readings if isinstance(each, Stretches) and number in each.sources)
    return tuple(StretchLookup(each, each.sources[number], source_rows, backward) for each in readings)


def _list_places(first: Ids, end: Ids) -> Ids:
    """Every place of every stretch, stretch by stretch."""
    lengths = end - first
    total = int(lengths.sum())
    restart = np.repeat(first - np.concatenate(([0], lengths.cumsum()[:-1])), lengths) if total else first[:0]
    places: Ids = np.arange(total, dtype=np.int64) + restart
    return places


def _merge_places(first: Ids, end: Ids) -> Ids:
    """Every place in some stretch, each once."""
    some = end > first
    first, end = first[some], end[some]
    order = np.argsort(first, kind="stable")
    first, end = first[order], end[order]
    reached = np.maximum.accumulate(end) if len(end) else end
    # A stretch starts where those before it have ended.
    start = np.maximum(first, np.concatenate((first[:1], reached[:-1])))
    return _list_places(start, np.maximum(start, reached))


def readings_to_arrays(block: Block) -> dict[str, dict[str, Ids]]:
    """What the block has read through windows as one file of named arrays, none if there is nothing."""
    arrays = _readings_out(block.readings)
    return {READINGS: arrays} if arrays else {}


def with_readings(block: Block, arrays: Mapping[str, npt.NDArray[np.generic]]) -> Block:
    """The block with what `readings_to_arrays` wrote."""
    wide = {name: array.astype(np.int64, copy=False) for name, array in arrays.items()}
    return replace(block, readings=_readings_in(wide))


def _readings_out(readings: tuple[Reading, ...]) -> dict[str, Ids]:
    """Readings of the same order share its places, which stand in the file once."""
    arrays: dict[str, Ids] = {}
    places: list[Block] = []
    for number, reading in enumerate(readings):
        assert isinstance(reading, Stretches)
        known = [n for n, each in enumerate(places) if each is reading.places]
        arrays |= {f"{number}.{name}": array for name, array in _stretches_out(reading).items()}
        arrays[f"{number}.order"] = np.array(known or [len(places)], dtype=np.int64)
        places += [] if known else [reading.places]
    for number, block in enumerate(places):
        arrays |= {f"places{number}.{name}": array for name, array in _block_out(block).items()}
    return arrays


def _stretches_out(stretches: Stretches) -> dict[str, Ids]:
    numbers = [(number, base, stretches.origin_of[number]) for number, base in sorted(stretches.sources.items())]
    arrays: dict[str, Ids] = {
        "first": stretches.first,
        "end": stretches.end,
        "numbers": np.array(numbers, dtype=np.int64).reshape(-1),
        "rows": np.array([stretches.rows], dtype=np.int64),
    }
    return arrays | ({} if stretches.out is None else {"out": stretches.out})


def _block_out(block: Block) -> dict[str, Ids]:
    arrays = {"rows": np.array([block.rows], dtype=np.int64)}
    for number, part in enumerate(block.parts):
        arrays |= {f"part{number}.source{source}": ids for source, ids in part.sources.items()}
        arrays |= {} if part.out is None else {f"part{number}.out": part.out}
    return arrays | {f"readings.{name}": array for name, array in _readings_out(block.readings).items()}


def _readings_in(arrays: Mapping[str, Ids]) -> tuple[Reading, ...]:
    groups = _by_first_word(arrays)
    places = {name.removeprefix("places"): _block_in(group) for name, group in groups.items() if name[:1] == "p"}
    found = sorted((int(name), group) for name, group in groups.items() if name.isdigit())
    return tuple(_stretches_in(group, places[str(group["order"][0])]) for _, group in found)


def _stretches_in(arrays: Mapping[str, Ids], places: Block) -> Stretches:
    numbers = arrays["numbers"].reshape(-1, 3).tolist()
    sources, real = {number: base for number, base, _ in numbers}, {number: real for number, _, real in numbers}
    rows = int(arrays["rows"][0])
    return Stretches(
        rows=rows,
        out=arrays.get("out"),
        first=arrays["first"],
        end=arrays["end"],
        sources=sources,
        origin_of=real,
        places=places,
    )


def _block_in(arrays: Mapping[str, Ids]) -> Block:
    groups = _by_first_word(arrays)
    parts = sorted((int(name.removeprefix("part")), group) for name, group in groups.items() if name[:4] == "part")
    readings = _readings_in(groups.get("readings", {}))
    return Block(int(groups["rows"][""][0]), tuple(_part_in(group) for _, group in parts), readings)


def _part_in(arrays: Mapping[str, Ids]) -> Part:
    sources = {int(name.removeprefix("source")): ids for name, ids in arrays.items() if name != "out"}
    return Part(arrays.get("out"), sources)


def _by_first_word(arrays: Mapping[str, Ids]) -> dict[str, dict[str, Ids]]:
    groups: dict[str, dict[str, Ids]] = {}
    for name, array in arrays.items():
        word, _, rest = name.partition(".")
        groups.setdefault(word, {})[rest] = array
    return groups
