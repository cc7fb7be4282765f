"""Fetches what an explanation needs from lineage and the store: the rows behind marked values, measures, attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import NOBODY, Part
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UserError
from whence.outliers.aggregates.aggregate import Aggregate
from whence.outliers.aggregates.black_box import BlackBox
from whence.outliers.arrays import Columns, Ints
from whence.outliers.choose_attributes import Candidate, choose_attributes
from whence.outliers.complaint import Complaint
from whence.outliers.evaluate import Read
from whence.outliers.offers import Offer, offers, type_of, wished
from whence.outliers.problem import Problem
from whence.outliers.read_formula import aggregates_in, columns_in, read_formula
from whence.plan.formula import NAME, Formula
from whence.store.store import Store

_DEPTH = 6
_NUMBERS = ("double", "float", "decimal", "int", "bigint", "smallint", "tinyint")


@dataclass(frozen=True)
class Marked:
    """What the user said: complaints by row, rows that are fine, and wishes."""

    complaints: Mapping[int, Complaint]
    holdouts: Sequence[int]
    attributes: Sequence[str] | None = None
    aggregate: Callable[..., float] | None = None
    measure: Sequence[str] = ()


@dataclass(frozen=True)
class Fetched:
    """The problem, and the way back to rows: the input dataset and each row's id in it."""

    problem: Problem
    input: DatasetRecord
    rids: Ints
    marked: tuple[int, ...]
    """The marked rows, outliers first, in the order of the problem's groups."""
    left_out: dict[str, str]
    foreign: frozenset[str]
    """Attributes that are not columns of the input."""
    measure: str | None
    """The one column of the input that is aggregated, if it is one."""


def fetch(store: Store, edges: Edges, record: DatasetRecord, column: str, marked: Marked, zone: str = "UTC") -> Fetched:
    """Everything about these marked values, in memory; `zone` is where the clocks are that conditions speak of."""
    rows = [*marked.complaints, *marked.holdouts]
    target, formula, places = _aggregate_behind(store, edges, record, column, np.array(rows, dtype=np.int64))
    sources = [store.by_id(each) for each in edges.sources(target)]
    part = _derivations(edges, target, formula)
    owner, chosen = _behind(part, places, target)
    ids = {source: all_ids[chosen] for source, all_ids in part.sources.items() if source < len(sources)}
    reader = _Reader(store, sources, ids)
    main = _main(formula, ids)
    aggregate, columns = _measures(formula, reader, len(owner), marked, main)
    used = {each for each in columns_in(formula) if _is_number(sources, each)} | {
        (main, name) for name in marked.measure
    }
    keys = {(use.source, use.column) for use in _document(edges, target).row if use.role == "grouped"}
    offered = offers(store, edges, sources, ids, main, used | keys)
    wish = wished(offered, marked.attributes, sources[main])
    candidates = (Candidate(each.label, _values(store, each, zone), each.parts, each.is_whole) for each in wish)
    picked = choose_attributes(candidates, owner, len(rows), is_wish=marked.attributes is not None)
    complaints = tuple(marked.complaints.values())
    problem = Problem(owner, columns, aggregate, complaints, len(marked.holdouts), picked.attributes)
    if marked.aggregate is None:
        _verify(store, record, column, rows, problem)
    own = [name for source, name in used if source == main]
    measure = own[0] if len(own) == 1 else None
    taken = dict.fromkeys((name for _, name in used), "it is what is aggregated")
    taken |= dict.fromkeys((name for _, name in keys), "it is the group key")
    foreign = frozenset(each.label for each in offered if not each.is_own)
    return Fetched(problem, sources[main], ids[main], tuple(rows), taken | picked.left_out, foreign, measure)


def _values(store: Store, offer: Offer, zone: str) -> pa.Array:
    """The column as Spark would show it: moments as the clock of the session's time zone does."""
    values = read_column(store, offer.record, offer.column, offer.rids)
    if pa.types.is_timestamp(values.type) and values.type.tz is not None:
        return pc.cast(values, pa.timestamp("us", zone))
    return values


def _is_number(sources: Sequence[DatasetRecord], used: tuple[int, str]) -> bool:
    """A measure; text that a formula reads only chooses among values, and may explain."""
    source, name = used
    return type_of(sources[source], name).startswith(_NUMBERS)


def _stored(store: Store, record: DatasetRecord) -> dict[str, object]:
    stored = store.document(record, NAME)
    if stored is None:
        raise NotSupported(f"It is not known how {record.label} was computed.", "Run its query again.")
    return stored


def _document(edges: Edges, record: DatasetRecord) -> LineageDocument:
    document = edges.document(record)
    if document is None:
        raise UserError(f"{record.label} was loaded or created, so its values are not aggregates of other rows.")
    return document


def _aggregate_behind(
    store: Store, edges: Edges, record: DatasetRecord, column: str, rows: Ints
) -> tuple[DatasetRecord, Formula, Ints]:
    """The dataset in which the value was aggregated: this one, or one it was merely copied from."""
    for _ in range(_DEPTH):
        document = _document(edges, record)
        formula = cast(Formula, _stored(store, record)[column])
        if aggregates_in(formula):
            if not document.is_exact:
                raise NotSupported(f"The rows behind {record.label} are not known one by one: {document.strategy}")
            return record, formula, rows
        if formula["kind"] != "column":
            break
        source = cast(int, formula["source"])
        found = [edges.backward(record, source, np.array([row])) for row in rows]
        if any(len(ids) != 1 for ids in found):
            break
        rows = np.concatenate(found)
        record, column = store.by_id(document.sources[source]), str(formula["column"])
        if edges.document(record) is None:
            break
    why = f" ({formula['why']})" if formula["kind"] == "unknown" else ""
    raise UserError(
        f"The column {column} of {record.label} is not an aggregate{why}.", "Explain a column such as sum(x)."
    )


def _derivations(edges: Edges, record: DatasetRecord, formula: Formula) -> Part:
    """The rows that went into the aggregate, each with its row of every source."""
    needed = {source for source, _ in columns_in(formula)}
    parts = [part for part in edges.block(record).parts if needed <= set(part.sources) and part.sources]
    if len(parts) != 1:
        raise NotSupported(f"The rows behind {record.label} come from several places that do not go together.")
    return parts[0]


def _behind(part: Part, places: Ints, record: DatasetRecord) -> tuple[Ints, Ints]:
    """(group of each row, place of each row among the derivations), group by group."""
    group_of = np.full(record.rows, -1, dtype=np.int64)
    group_of[places] = np.arange(len(places))
    if len(np.unique(places)) < len(places):
        raise UserError("Some of the marked rows come from the same aggregate.", "Mark each value once.")
    owner = group_of[part.out_ids(record.rows)]
    chosen = np.flatnonzero(owner >= 0)
    chosen = chosen[np.argsort(owner[chosen], kind="stable")]
    return owner[chosen], chosen


class _Reader:
    """Reads columns of sources, one entry per row of the aggregate's input."""

    def __init__(self, store: Store, sources: Sequence[DatasetRecord], ids: Mapping[int, Ints]) -> None:
        self._store = store
        self._sources = sources
        self._ids = ids

    def __call__(self, source: int, column: str) -> pa.Array:
        return read_column(self._store, self._sources[source], column, self._ids[source])


def read_column(store: Store, record: DatasetRecord, column: str, ids: Ints) -> pa.Array:
    """The values of these rows; NULL where there is no row."""
    wanted, places = np.unique(ids, return_inverse=True)
    has_nobody = len(wanted) > 0 and wanted[0] == NOBODY
    known = wanted[1:] if has_nobody else wanted
    values = store.take(record, known, [column]).column(0)
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], values.type)
    picks = pa.array(places - 1 if has_nobody else places, mask=(places == 0) if has_nobody else None)
    return pc.take(values, picks)


def _main(formula: Formula, ids: Mapping[int, Ints]) -> int:
    """The source of the measure; of a count, the one whose rows are counted."""
    measured = [source for source, _ in columns_in(formula)]
    if measured:
        return min(set(measured), key=lambda source: (-measured.count(source), source))
    return max(ids, key=lambda source: (len(np.unique(ids[source])), -source))


def _measures(formula: Formula, read: Read, rows: int, marked: Marked, main: int) -> tuple[Aggregate, Columns]:
    if marked.aggregate is None:
        return read_formula(formula, read, rows)
    columns = [read(main, name) for name in marked.measure]
    numbers = [np.asarray(pc.cast(each, pa.float64(), safe=False).to_numpy(zero_copy_only=False)) for each in columns]
    return BlackBox(marked.aggregate), tuple(number.astype(np.float64) for number in numbers)


def _verify(store: Store, record: DatasetRecord, column: str, rows: Sequence[int], problem: Problem) -> None:
    """What is computed again must be what was stored; otherwise the query does something we do not see."""
    offsets = problem.offsets
    stored = store.take(record, np.array(rows, dtype=np.int64), [column]).column(0).to_pylist()
    for number, value in enumerate(stored):
        inside = slice(offsets[number], offsets[number + 1])
        again = problem.aggregate.value(tuple(each[inside] for each in problem.columns))
        if value is None:
            raise UserError(
                f"Row {rows[number]} of {record.label} has no value in {column}, so nothing about it is odd."
            )
        if not _is_close(again, float(value)):
            raise NotSupported(
                f"The {column} of row {rows[number]} is {value}, but computing it again gives {again:g}.",
                "The query does something that explanations do not see yet.",
            )


def _is_close(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))
