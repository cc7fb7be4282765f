"""The columns an explanation may use: of the aggregate's input, of datasets joined to it, and of earlier datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from whence.explain.arrays import Ints
from whence.explain.time_part import KNOWN, OFFERED, PartName, Timed, named_part
from whence.lineage.block import NO_ROW
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownColumn
from whence.store.store import Store

_DEPTH = 6
"""The walk to earlier datasets stops once it has found so many."""

Used = set[tuple[int, str]]
"""Columns as (number of the source, column name)."""


@dataclass(frozen=True)
class Offer:
    """A column of some dataset, and the row of that dataset behind each row of the aggregate's input."""

    label: str
    record: DatasetRecord
    column: str
    rids: Ints
    is_own: bool
    """The column belongs to the aggregate's input itself."""
    is_whole: bool = True
    """False if the query groups by the column or aggregates it: then only its parts, such as its hour, may explain."""
    parts: tuple[PartName, ...] = ()


def offers(
    store: Store, edges: Edges, sources: Sequence[DatasetRecord], ids: Mapping[int, Ints], main: int, used: Used
) -> list[Offer]:
    """Return the columns that may explain the aggregate, one offer for each label.

    Where two columns have the same name, the one from the farther dataset is labelled `dataset.column`. A time that the
    query groups by or aggregates cannot explain anything itself, but its parts may: days are made of hours.
    """
    found: dict[str, Offer] = {}

    def offer(record: DatasetRecord, name: str, rids: Ints, *, is_own: bool, is_whole: bool) -> None:
        label = name if name not in found else f"{record.name}.{name}"
        parts = parts_offered(type_of(record, name))
        if label not in found and (is_whole or parts):
            found[label] = Offer(
                label=label, record=record, column=name, rids=rids, is_own=is_own, is_whole=is_whole, parts=parts
            )

    # The aggregated source first, so that its columns get the short labels.
    for source in sorted(ids, key=lambda each: each != main):
        for name in sources[source].schema.names:
            offer(sources[source], name, ids[source], is_own=source == main, is_whole=(source, name) not in used)
    for earlier in _earlier(store, edges, sources, ids, used):
        for name in earlier.record.schema.names:
            # A column that a later dataset copies unchanged is offered there already.
            if name not in earlier.shown:
                offer(earlier.record, name, earlier.rids, is_own=False, is_whole=name not in earlier.used)
    return list(found.values())


def wished(offered: Sequence[Offer], wish: Sequence[str] | None, record: DatasetRecord) -> list[Offer]:
    """Return the offers that the user named: columns, each with its parts, or single parts such as `hour(at)`."""
    if wish is None:
        return list(offered)
    known = {each.label: each for each in offered}
    chosen: dict[str, Offer] = {}
    for text in wish:
        part, label = named_part(text) or (None, text)
        # A column whose own name looks like `hour(at)` wins over the part of a column.
        label, part = (text, None) if text in known else (label, part)
        if label not in known or (part is not None and part not in _known_parts(known[label])):
            raise UnknownColumn(
                f"{text} is no column that {record.label} could be explained with.", f"There are {', '.join(known)}."
            )
        before = chosen.get(label, replace(known[label], is_whole=False, parts=()))
        if part is None:
            parts = (*known[label].parts, *before.parts)
            chosen[label] = replace(known[label], parts=tuple(dict.fromkeys(parts)))
        else:
            chosen[label] = replace(before, parts=tuple(dict.fromkeys((*before.parts, part))))
    return list(chosen.values())


def type_of(record: DatasetRecord, column: str) -> str:
    """Return the type of a column as Spark writes it, or "" if the dataset has no such column."""
    position = record.schema.position(column)
    return "" if position is None else record.schema.fields[position].type


def parts_offered(type_name: str) -> tuple[PartName, ...]:
    """Return the parts of a date or timestamp column that are tried without being asked for."""
    timed = _timed(type_name)
    return () if timed is None else OFFERED[timed]


def _timed(type_name: str) -> Timed | None:
    if type_name == "date":
        return "date"
    return "timestamp" if type_name in ("timestamp", "timestamp_ntz") else None


def _known_parts(offer: Offer) -> tuple[PartName, ...]:
    timed = _timed(type_of(offer.record, offer.column))
    return () if timed is None else KNOWN[timed]


@dataclass(frozen=True)
class _Earlier:
    """An ancestor dataset that has exactly one row, or none, behind each row of the aggregate's input."""

    record: DatasetRecord
    rids: Ints
    used: frozenset[str]
    """The columns that the measure or the group key came from."""
    shown: frozenset[str] = frozenset()
    """The columns that a later dataset contains as unchanged copies."""


def _earlier(
    store: Store, edges: Edges, sources: Sequence[DatasetRecord], ids: Mapping[int, Ints], used: Used
) -> list[_Earlier]:
    """Walk the lineage backwards, breadth first, through datasets with one row behind each row of the input."""
    found: list[_Earlier] = []
    waiting = [
        _Earlier(sources[source], rids, frozenset(name for number, name in used if number == source))
        for source, rids in ids.items()
    ]
    seen = {each.record.id for each in waiting}
    while waiting and len(found) < _DEPTH:
        later = waiting.pop(0)
        document = edges.document(later.record)
        # Coarse lineage does not say which row is behind which.
        if document is None or not document.is_exact:
            continue
        for number, dataset in enumerate(document.sources):
            rids = _one_each(edges, later.record, number, later.rids)
            if rids is not None and dataset not in seen:
                seen.add(dataset)
                used_here = _uses(document, number, later.used)
                shown = _uses(document, number, document.values, copies=True)
                found.append(_Earlier(store.by_id(dataset), rids, used_here, shown))
                waiting.append(found[-1])
    return found


def _uses(document: LineageDocument, source: int, names: Iterable[str], *, copies: bool = False) -> frozenset[str]:
    """Return the columns of a source that the named columns came from. With `copies`, only unchanged copies."""
    uses = (use for name in names for use in document.values.get(name, ()) if use.source == source)
    return frozenset(use.column for use in uses if not copies or use.role == "copied")


def _one_each(edges: Edges, record: DatasetRecord, number: int, rids: Ints) -> Ints | None:
    """Return the source row behind each row, or None if some row has several."""
    out, ids = edges.pairs(record, number)
    if len(np.unique(out)) < len(out) or not len(out):
        return None
    behind = np.full(record.rows + 1, NO_ROW, dtype=np.int64)
    behind[out] = ids
    return behind[rids]  # NO_ROW is -1: it reads the last entry, which stays NO_ROW
