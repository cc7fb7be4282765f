"""Columns that may explain: of the aggregate's input, of what was joined to it, and of what its rows were made from."""

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

Used = set[tuple[int, str]]
"""Columns by source and name."""


@dataclass(frozen=True)
class Offer:
    """A column of some dataset, and the row of that dataset behind each row of the aggregate's input."""

    label: str
    record: DatasetRecord
    column: str
    rids: Ints
    is_own: bool
    is_whole: bool = True
    """Otherwise only its parts may explain: the column itself is what is grouped by."""
    parts: tuple[PartName, ...] = ()


def offers(
    store: Store, edges: Edges, sources: Sequence[DatasetRecord], ids: Mapping[int, Ints], main: int, used: Used
) -> list[Offer]:
    """By label; where two columns have the same name, the farther one says whose it is.

    A time that is grouped by or aggregated explains nothing, but its hour may: days are made of hours.
    """
    found: dict[str, Offer] = {}

    def offer(record: DatasetRecord, name: str, rids: Ints, *, is_own: bool, is_whole: bool) -> None:
        label = name if name not in found else f"{record.name}.{name}"
        parts = parts_offered(type_of(record, name))
        if label not in found and (is_whole or parts):
            found[label] = Offer(
                label=label, record=record, column=name, rids=rids, is_own=is_own, is_whole=is_whole, parts=parts
            )

    for source in sorted(ids, key=lambda each: each != main):
        for name in sources[source].schema.names:
            offer(sources[source], name, ids[source], is_own=source == main, is_whole=(source, name) not in used)
    for earlier in _earlier(store, edges, sources, ids, used):
        for name in earlier.record.schema.names:
            if name not in earlier.shown:
                offer(earlier.record, name, earlier.rids, is_own=False, is_whole=name not in earlier.used)
    return list(found.values())


def wished(offered: Sequence[Offer], wish: Sequence[str] | None, record: DatasetRecord) -> list[Offer]:
    """Those that the user named: columns, each with its parts, or single parts such as `hour(at)`."""
    if wish is None:
        return list(offered)
    known = {each.label: each for each in offered}
    chosen: dict[str, Offer] = {}
    for text in wish:
        part, label = named_part(text) or (None, text)
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
    """The type of a column as Spark writes it; nothing for one that is not there."""
    position = record.schema.position(column)
    return "" if position is None else record.schema.fields[position].type


def parts_offered(type_name: str) -> tuple[PartName, ...]:
    """The parts that are tried unasked."""
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
    """A dataset in which every row of the input has just one row behind it."""

    record: DatasetRecord
    rids: Ints
    used: frozenset[str]
    """Columns the measure or the group key came from."""
    shown: frozenset[str] = frozenset()
    """Columns that a later dataset shows as they are."""


def _earlier(
    store: Store, edges: Edges, sources: Sequence[DatasetRecord], ids: Mapping[int, Ints], used: Used
) -> list[_Earlier]:
    found: list[_Earlier] = []
    waiting = [
        _Earlier(sources[source], rids, frozenset(name for number, name in used if number == source))
        for source, rids in ids.items()
    ]
    seen = {each.record.id for each in waiting}
    while waiting and len(found) < _DEPTH:
        later = waiting.pop(0)
        document = edges.document(later.record)
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
    """The columns of a source that these columns came from; only those that are the same values, if asked."""
    uses = (use for name in names for use in document.values.get(name, ()) if use.source == source)
    return frozenset(use.column for use in uses if not copies or use.role == "copied")


def _one_each(edges: Edges, record: DatasetRecord, number: int, rids: Ints) -> Ints | None:
    out, ids = edges.pairs(record, number)
    if len(np.unique(out)) < len(out) or not len(out):
        return None
    behind = np.full(record.rows + 1, NO_ROW, dtype=np.int64)
    behind[out] = ids
    return behind[rids]  # NOBODY is -1: the last entry, which nobody fills
