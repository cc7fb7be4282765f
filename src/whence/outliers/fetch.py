"""Fetches what an explanation needs from lineage and the store: the rows behind marked values, measures, attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import NOBODY, Part
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UnknownColumn, UserError
from whence.outliers.aggregates.aggregate import Aggregate
from whence.outliers.aggregates.black_box import BlackBox
from whence.outliers.arrays import Columns, Ints
from whence.outliers.choose_attributes import choose_attributes
from whence.outliers.complaint import Complaint
from whence.outliers.evaluate import Read
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


def fetch(store: Store, edges: Edges, record: DatasetRecord, column: str, marked: Marked) -> Fetched:
    """Everything about these marked values, in memory."""
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
    offered, foreign = _columns(store, edges, sources, ids, main, used | keys)
    wish = _wished(offered, marked.attributes, sources[main])
    arrays = {name: read() for name, read in wish.items()}
    picked = choose_attributes(arrays, owner, len(rows), is_wish=marked.attributes is not None)
    complaints = tuple(marked.complaints.values())
    problem = Problem(owner, columns, aggregate, complaints, len(marked.holdouts), picked.attributes)
    if marked.aggregate is None:
        _verify(store, record, column, rows, problem)
    own = [name for source, name in used if source == main]
    measure = own[0] if len(own) == 1 else None
    taken = dict.fromkeys((name for _, name in used), "it is what is aggregated")
    taken |= dict.fromkeys((name for _, name in keys), "it is the group key")
    return Fetched(problem, sources[main], ids[main], tuple(rows), taken | picked.left_out, foreign, measure)


def _is_number(sources: Sequence[DatasetRecord], used: tuple[int, str]) -> bool:
    """A measure; text that a formula reads only chooses among values, and may explain."""
    source, name = used
    position = sources[source].schema.position(name)
    return position is not None and sources[source].schema.fields[position].type.startswith(_NUMBERS)


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


def _columns(
    store: Store,
    edges: Edges,
    sources: Sequence[DatasetRecord],
    ids: Mapping[int, Ints],
    main: int,
    used: set[tuple[int, str]],
) -> tuple[dict[str, Callable[[], pa.Array]], frozenset[str]]:
    """Columns to explain with: of the input, of what was joined to it, and of what each row was made from."""
    offered: dict[str, Callable[[], pa.Array]] = {}
    foreign: set[str] = set()

    def offer(record: DatasetRecord, name: str, rids: Ints, *, is_own: bool) -> None:
        label = name if name not in offered else f"{record.name}.{name}"
        if label not in offered:
            offered[label] = lambda: read_column(store, record, name, rids)
            if not is_own:
                foreign.add(label)

    for source in sorted(ids, key=lambda each: each != main):
        for name in sources[source].schema.names:
            if (source, name) not in used:
                offer(sources[source], name, ids[source], is_own=source == main)
    for earlier in _earlier(store, edges, sources, ids, used):
        for name in earlier.record.schema.names:
            if name not in earlier.known:
                offer(earlier.record, name, earlier.rids, is_own=False)
    return offered, frozenset(foreign)


@dataclass(frozen=True)
class _Earlier:
    """A dataset in which every row of the input has just one row behind it."""

    record: DatasetRecord
    rids: Ints
    used: frozenset[str]
    """Columns the measure or the group key came from."""
    known: frozenset[str]
    """Those, and columns that a later dataset shows as they are."""


def _earlier(
    store: Store,
    edges: Edges,
    sources: Sequence[DatasetRecord],
    ids: Mapping[int, Ints],
    used: set[tuple[int, str]],
) -> list[_Earlier]:
    found: list[_Earlier] = []
    waiting = [
        _Earlier(sources[source], rids, frozenset(name for number, name in used if number == source), frozenset())
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
                known = used_here | _uses(document, number, document.values, copies=True)
                found.append(_Earlier(store.by_id(dataset), rids, used_here, known))
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
    behind = np.full(record.rows + 1, NOBODY, dtype=np.int64)
    behind[out] = ids
    return behind[rids]  # NOBODY is -1: the last entry, which nobody fills


def _wished(
    offered: dict[str, Callable[[], pa.Array]], wish: Sequence[str] | None, record: DatasetRecord
) -> dict[str, Callable[[], pa.Array]]:
    if wish is None:
        return offered
    unknown = [name for name in wish if name not in offered]
    if unknown:
        raise UnknownColumn(
            f"{unknown[0]} is no column that {record.label} could be explained with.",
            f"There are {', '.join(offered)}.",
        )
    return {name: offered[name] for name in wish}


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
