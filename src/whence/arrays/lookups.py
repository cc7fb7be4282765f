"""Lookups for each representation of lineage: map, payload, composite and full by region, in both directions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from whence.arrays.gather import NEVER, Deadline, gather
from whence.arrays.operator import Operator
from whence.arrays.reach import Reach, as_reach
from whence.arrays.recorded import PayloadNotes
from whence.arrays.shapes import Ids, Shapes
from whence.lineage.index import Index, build_index, build_lookup
from whence.lineage.lookup import Lookup
from whence.lineage.selection import Selection


@dataclass(frozen=True)
class Edge:
    """The edge between one input and the output of one run of an operator."""

    operator: Operator
    shapes: Shapes
    number: int

    def ends(self, *, backward: bool) -> tuple[int, int]:
        """Return how many cells can be asked about, and how many answers can name."""
        out, into = self.shapes.cells, self.shapes.cells_of(self.number)
        return (out, into) if backward else (into, out)

    def mapped(self, keys: Ids, *, backward: bool) -> Reach:
        """Return what `map_b` or `map_f` gives for these cells, checked."""
        ask = self.operator.map_b if backward else self.operator.map_f
        said = ask(keys, self.shapes, self.number)
        who = f"{self.operator.name}.{'map_b' if backward else 'map_f'}"
        return as_reach(said, len(keys), self.ends(backward=backward)[1], who)

    def paid(self, outs: Ids, noted: PayloadNotes, places: Ids) -> Reach:
        """Return what `map_p` gives for output cells and the payloads at these places, checked."""
        payload = noted.values[noted.codes[places]]
        said = self.operator.map_p(outs, payload, self.shapes, self.number)
        return as_reach(said, len(outs), self.ends(backward=True)[1], f"{self.operator.name}.map_p")


@dataclass
class Answering:
    """Base of lookups that compute answers cell by cell, which a deadline can stop."""

    edge: Edge
    backward: bool
    seconds: Callable[[], float | None] = field(default=lambda: None)

    @property
    def key_count(self) -> int:
        """The number of cells that can be asked about."""
        return self.edge.ends(backward=self.backward)[0]

    @property
    def value_count(self) -> int:
        """The number of cells that answers can name."""
        return self.edge.ends(backward=self.backward)[1]

    def reach(self, keys: Ids) -> Reach:
        """Return what each of these cells reaches, in any order, perhaps with repeats."""
        raise NotImplementedError

    def reached(self, keys: Ids) -> Ids:
        """Return what these cells reach together, in any order, perhaps with repeats."""
        return self.reach(keys).ids

    def of(self, keys: Ids) -> Ids:
        """Return what each cell reaches, sorted and without repeats within a cell."""
        return self.reach(keys).deduplicate().ids

    def lengths(self, keys: Ids) -> Ids:
        """Return how many cells each cell reaches."""
        return self.reach(keys).deduplicate().lengths

    def select(self, keys: Selection) -> Selection:
        """Return what all these cells reach together."""
        return self.within(keys, NEVER)

    def within(self, keys: Selection, deadline: Deadline) -> Selection:
        """Return what all these cells reach together; raise TookTooLong at the deadline."""
        # Filling the cache knows no deadline: where there is one, the cache is used only if it is filled already.
        if keys.is_everything and keys.count:
            return (
                self._reached_by_all
                if deadline is NEVER or "_reached_by_all" in self.__dict__
                else self._gathered(keys, deadline)
            )
        return self._gathered(keys, deadline)

    def _gathered(self, keys: Selection, deadline: Deadline) -> Selection:
        return gather(keys.ids, self.reached, self.value_count, deadline)

    @cached_property
    def _reached_by_all(self) -> Selection:
        """What all cells reach together, computed once."""
        return self._gathered(Selection.everything(self.key_count), NEVER)


class MappedLookup(Answering):
    """Lookup by the operator's map, for which nothing is stored."""

    @cached_property
    def _reached_by_all(self) -> Selection:
        """What all cells reach together: from the operator's `covers` if it says so, else computed."""
        edge = self.edge
        known = edge.operator.covers(edge.shapes, edge.number, backward=self.backward)
        if isinstance(known, np.ndarray):
            return Selection.of(known, self.value_count)
        if known:
            return Selection.everything(self.value_count)
        return self._gathered(Selection.everything(self.key_count), NEVER)

    def reach(self, keys: Ids) -> Reach:
        """Return what the map gives for these cells."""
        return self.edge.mapped(keys, backward=self.backward)


class Paid(Answering):
    """Backward lookup for Pay and Comp: `map_p` for cells with payloads; for the others, with Comp, `map_b`."""

    def __init__(self, edge: Edge, noted: PayloadNotes, *, has_default: bool) -> None:
        super().__init__(edge, True)
        self._noted = noted
        self._has_default = has_default

    @cached_property
    def _places(self) -> Index:
        outs = self._noted.outs
        return build_index(outs, np.arange(len(outs), dtype=np.int64), self.key_count)

    def reached(self, keys: Ids) -> Ids:
        """Return what these cells reach together, which skips sorting by cell."""
        counts = self._places.lengths(keys)
        paid = self.edge.paid(np.repeat(keys, counts), self._noted, self._places.of(keys)).ids
        if not self._has_default or counts.all():
            return paid
        return np.concatenate([paid, self.edge.mapped(keys[counts == 0], backward=True).ids])

    def reach(self, keys: Ids) -> Reach:
        """Return what each of these cells reaches."""
        counts = self._places.lengths(keys)
        places = self._places.of(keys)
        paid = self.edge.paid(np.repeat(keys, counts), self._noted, places)
        owners = np.repeat(np.repeat(np.arange(len(keys), dtype=np.int64), counts), paid.lengths)
        ids = paid.ids
        if self._has_default and not counts.all():
            plain = np.flatnonzero(counts == 0)
            mapped = self.edge.mapped(keys[plain], backward=True)
            owners = np.concatenate([owners, np.repeat(plain, mapped.lengths)])
            ids = np.concatenate([ids, mapped.ids])
            order = np.argsort(owners, kind="stable")
            owners, ids = owners[order], ids[order]
        return Reach(np.bincount(owners, minlength=len(keys)), ids)


class PaidForward(Answering):
    """Forward lookup for Pay and Comp: inverts `map_p` over all payloads once; with Comp, `map_f` gives the rest."""

    def __init__(self, edge: Edge, noted: PayloadNotes, *, has_default: bool) -> None:
        super().__init__(edge, False)
        self._noted = noted
        self._has_default = has_default

    @cached_property
    def _inverted(self) -> Lookup:
        outs = self._noted.outs
        paid = self.edge.paid(outs, self._noted, np.arange(len(outs), dtype=np.int64))
        return build_lookup(paid.ids, np.repeat(outs, paid.lengths), self.key_count, self.value_count)

    @cached_property
    def _is_paid(self) -> npt.NDArray[np.bool_]:
        marks = np.zeros(self.value_count, dtype=bool)
        marks[self._noted.outs] = True
        return marks

    def reached(self, keys: Ids) -> Ids:
        """Return what these cells reach together, which skips sorting by cell."""
        paid = self._inverted.of(keys)
        if not self._has_default:
            return paid
        # A payload replaces the map of its output cell, so what `map_f` says about such a cell does not count.
        mapped = self.edge.mapped(keys, backward=False).ids
        return np.concatenate([paid, mapped[~self._is_paid[mapped]]])

    def reach(self, keys: Ids) -> Reach:
        """Return what each of these cells reaches."""
        lengths, ids = self._inverted.lengths(keys), self._inverted.of(keys)
        if not self._has_default:
            return Reach(lengths, ids)
        mapped = self.edge.mapped(keys, backward=False)
        stays = ~self._is_paid[mapped.ids]
        owners = np.concatenate([np.repeat(np.arange(len(keys)), lengths), mapped.owners[stays]])
        every = np.concatenate([ids, mapped.ids[stays]])
        order = np.argsort(owners, kind="stable")
        return Reach(np.bincount(owners, minlength=len(keys)), every[order])


@dataclass(frozen=True)
class Through:
    """Lookup for full lineage by region: from cells to their regions, then to the cells at the other end."""

    first: Lookup
    second: Lookup

    @property
    def key_count(self) -> int:
        """The number of cells that can be asked about."""
        return self.first.key_count

    @property
    def value_count(self) -> int:
        """The number of cells that answers can name."""
        return self.second.value_count

    def of(self, keys: Ids) -> Ids:
        """Return what each cell reaches, sorted and without repeats within a cell."""
        return self._reach(keys).ids

    def lengths(self, keys: Ids) -> Ids:
        """Return how many cells each cell reaches."""
        return self._reach(keys).lengths

    def select(self, keys: Selection) -> Selection:
        """Return what all these cells reach together; each region is read once."""
        return self.second.select(self.first.select(keys))

    def _reach(self, keys: Ids) -> Reach:
        counts, regions = self.first.lengths(keys), self.first.of(keys)
        inner = self.second.lengths(regions)
        owners = np.repeat(np.repeat(np.arange(len(keys), dtype=np.int64), counts), inner)
        lengths = np.bincount(owners, minlength=len(keys))
        return Reach(lengths, self.second.of(regions)).deduplicate()
