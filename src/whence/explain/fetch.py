"""Build the problem of a question from lineage and store: measures and attributes of the rows behind marked values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.engine.engine import Engine
from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.black_box import BlackBox
from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.choose_attributes import Candidate, choose_attributes
from whence.explain.coding import floats, in_zone
from whence.explain.complaint import Complaint
from whence.explain.derivations import Derivations, derivations
from whence.explain.distributed.frame import ColumnRequest, TemporaryFrame
from whence.explain.distributed.reading import Reading
from whence.explain.distributed.spark_problem import SparkProblem
from whence.explain.evaluate import Read
from whence.explain.influence import Scorer
from whence.explain.mirror import MeasureRows
from whence.explain.offers import Offer, offers, type_of, wished
from whence.explain.problem import Problem
from whence.explain.read_formula import columns_in, read_formula
from whence.explain.sample import sample_places
from whence.lineage.block import NO_ROW
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UserError
from whence.store.store import Store

IN_MEMORY = 500_000
"""The most rows that are read into memory. Of more, a sample is read and the rest stays in Spark."""

_CHUNK = 1 << 20
"""Rows of a dataset that are read at once where a sample is taken out of it."""
_NUMBERS = ("double", "float", "decimal", "int", "bigint", "smallint", "tinyint")


@dataclass(frozen=True)
class MarkedRows:
    """What the user said: complaints by row, hold-out rows, and optional attributes and aggregate function."""

    complaints: Mapping[int, Complaint]
    holdouts: Sequence[int]
    attributes: Sequence[str] | None = None
    aggregate: Callable[..., float] | None = None
    measure: Sequence[str] = ()

    @property
    def rows(self) -> list[int]:
        """All marked rows, outliers first."""
        return [*self.complaints, *self.holdouts]


@dataclass(frozen=True)
class FetchedProblem:
    """The problem, and the way from its rows back to the input dataset."""

    problem: Problem
    input: DatasetRecord
    rids: Ints
    """The id in the input dataset of each row of the problem, or of all rows if the problem has a sample."""
    marked: tuple[int, ...]
    """The marked rows, outliers first, in the order of the problem's groups."""
    left_out: dict[str, str]
    """Columns that are no attributes, each with the reason."""
    foreign: frozenset[str]
    """Labels of attributes that are not columns of the input dataset."""
    measure: str | None
    """The column of the input that is aggregated, or None if there is not exactly one."""
    spark_problem: SparkProblem | None = None
    """The same question about all rows, if the problem has only a sample of them."""
    values: Mapping[str, pa.Array] = field(default_factory=dict)
    """The values of each candidate column, row by row. Empty if there is only a sample."""


def fetch(
    store: Store, edges: Edges, engine: Engine, record: DatasetRecord, column: str, marked: MarkedRows
) -> FetchedProblem:
    """Return the problem for these marked values: over all rows, or over a sample if there are more than IN_MEMORY."""
    behind = derivations(store, edges, record, column, marked.rows)
    counts = np.bincount(behind.owner, minlength=len(marked.rows)).astype(np.int64)
    # Only the ids of rows, which lineage has, must fit into memory: eight bytes for each row and dataset.
    is_far = len(behind.owner) > IN_MEMORY
    reader = _Reader(store, behind, engine.zone, sample_places(counts, len(marked.complaints)) if is_far else None)
    aggregate, columns = _measures(behind, reader, marked)
    used = _used(behind, marked)
    offered = offers(store, edges, behind.sources, ids=behind.ids, main=behind.main, used=used | behind.keys)
    wish = wished(offered, marked.attributes, behind.sources[behind.main])
    values: dict[str, pa.Array] = {}
    candidates = (_candidate(reader, each, None if is_far else values) for each in wish)
    is_wish, rows = marked.attributes is not None, len(behind.owner)
    own = [name for source, name in used if source == behind.main]
    measured = MeasureRows(columns, reader.owner, own[0] if len(own) == 1 else "what is aggregated")
    picked = choose_attributes(
        candidates, reader.owner, len(marked.rows), is_wish=is_wish, rows=rows, measured=measured
    )
    complaints, sizes = tuple(marked.complaints.values()), counts.astype(np.float64) if is_far else None
    problem = Problem(
        owner=reader.owner,
        columns=columns,
        aggregate=aggregate,
        complaints=complaints,
        holdouts=len(marked.holdouts),
        attributes=picked.attributes,
        sizes=sizes,
    )
    taken = dict.fromkeys((name for _, name in used), "it is what is aggregated")
    taken |= dict.fromkeys((name for _, name in behind.keys), "it is the group key")
    fetched = FetchedProblem(
        problem=problem,
        input=behind.sources[behind.main],
        rids=behind.ids[behind.main],
        marked=tuple(marked.rows),
        left_out=taken | picked.left_out,
        foreign=frozenset(each.label for each in offered if not each.is_own),
        measure=own[0] if len(own) == 1 else None,
        values=values,
    )
    check = _check(store, record, column, marked)
    if is_far:
        return replace(
            fetched,
            spark_problem=_make_spark_problem(
                store, engine, behind, marked=marked, sample=problem, wish=wish, check=check
            ),
        )
    # Where rows stay in Spark, `SparkProblem` checks after its first pass over all rows.
    check(Scorer(problem, is_light=True).before)
    return fetched


def _candidate(reader: _Reader, offer: Offer, values: dict[str, pa.Array] | None) -> Candidate:
    """Read the values of an offer, and remember them in `values` unless that is None."""
    read = reader.offered(offer)
    if values is not None:
        values[offer.label] = read
    return Candidate(offer.label, read, offer.parts, offer.is_whole)


def _used(behind: Derivations, marked: MarkedRows) -> set[tuple[int, str]]:
    """Return the numeric columns that the aggregate reads.

    A text column in the formula, as in `sum(case when kind = 'a' then x end)`, only selects rows, so it may still
    explain.
    """
    read = columns_in(behind.formula)
    numbers = {(source, name) for source, name in read if type_of(behind.sources[source], name).startswith(_NUMBERS)}
    return numbers | {(behind.main, name) for name in marked.measure}


class _Reader:
    """Reads columns with one entry for each row of the aggregate's input, or for each row of a sample."""

    def __init__(self, store: Store, behind: Derivations, zone: str, places: Ints | None) -> None:
        self._store = store
        self._behind = behind
        self._zone = zone
        self._places = places
        self.owner = self._some(behind.owner)

    def __call__(self, source: int, column: str) -> pa.Array:
        return self._read(self._behind.sources[source], column, self._behind.ids[source])

    def offered(self, offer: Offer) -> pa.Array:
        """Return a column to explain with, its timestamps in the time zone of the Spark session."""
        return in_zone(self._read(offer.record, offer.column, offer.rids), self._zone)

    def _read(self, record: DatasetRecord, column: str, rids: Ints) -> pa.Array:
        # NO_ROW (-1) sorts first, so a row without a source row has place 0 and is read as NULL.
        wanted, places = np.unique(self._some(rids), return_inverse=True)
        has_nobody = len(wanted) > 0 and wanted[0] == NO_ROW
        known = wanted[1:] if has_nobody else wanted
        values = self._take_column(record, known, column)
        picks = pa.array(places - 1 if has_nobody else places, mask=(places == 0) if has_nobody else None)
        return pc.take(values, picks)

    def _take_column(self, record: DatasetRecord, rids: Ints, column: str) -> pa.Array:
        if self._places is None:
            return _combine_chunks(self._store.take(record, rids, [column]).column(0))
        # A few rows from all over a long dataset: reading it once is faster than looking each of them up.
        parts = []
        for start in range(0, record.rows, _CHUNK):
            first, last = np.searchsorted(rids, [start, start + _CHUNK])
            if first < last:
                chunk = self._store.read(record, start, start + _CHUNK, [column]).column(0)
                parts.append(_combine_chunks(chunk.take(pa.array(rids[first:last] - start))))
        return pa.concat_arrays(parts) if parts else _combine_chunks(self._store.read(record, 0, 0, [column]).column(0))

    def _some(self, array: Ints) -> Ints:
        return array if self._places is None else array[self._places]


def _combine_chunks(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if isinstance(values, pa.ChunkedArray):
        return pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], values.type)
    return values


def _measures(behind: Derivations, read: _Reader, marked: MarkedRows) -> tuple[Aggregate, Columns]:
    if marked.aggregate is None:
        reading: Read = read
        return read_formula(behind.formula, reading, len(read.owner))
    return BlackBox(marked.aggregate), tuple(floats(read(behind.main, name)) for name in marked.measure)


def _make_spark_problem(
    store: Store,
    engine: Engine,
    behind: Derivations,
    marked: MarkedRows,
    sample: Problem,
    wish: Sequence[Offer],
    check: Callable[[Floats], None],
) -> SparkProblem:
    """Return the same question about all rows, which stay in Spark."""
    is_own = marked.aggregate is not None
    measured = [(behind.main, name) for name in marked.measure] if is_own else sorted(columns_in(behind.formula))
    known = {each.label: each for each in wish}
    explaining = [known[attribute.name] for attribute in sample.attributes]
    wanted = [ColumnRequest(behind.sources[source], name, behind.ids[source]) for source, name in measured]
    wanted += [ColumnRequest(each.record, each.column, each.rids) for each in explaining]
    main = ColumnRequest(behind.sources[behind.main], "", behind.ids[behind.main])
    frame = TemporaryFrame(engine, store.layout.shared_temporary, behind.owner, main, wanted)
    reading = Reading(
        formula=None if is_own else behind.formula,
        measures=dict(zip(measured, frame.names, strict=False)),
        attributes=tuple(replace(each, codes=each.codes[:0]) for each in sample.attributes),
        columns=tuple(frame.names[len(measured) :]),
        owners=frame.owners,
        zone=engine.zone,
    )
    return SparkProblem(frame, reading, sample, check)


def _check(store: Store, record: DatasetRecord, column: str, marked: MarkedRows) -> Callable[[Floats], None]:
    """Return a function that raises if the recomputed values differ from the stored ones.

    They differ where the query does something that the formula does not show. Explanations would then be wrong.
    """

    def check(before: Floats) -> None:
        if marked.aggregate is not None:
            return
        stored = store.take(record, np.array(marked.rows, dtype=np.int64), [column]).column(0).to_pylist()
        for row, value, again in zip(marked.rows, stored, before, strict=True):
            if value is None:
                raise UserError(f"Row {row} of {record.label} has no value in {column}, so nothing about it is odd.")
            if not _is_close(float(again), float(value)):
                raise NotSupported(
                    f"The {column} of row {row} is {value}, but computing it again gives {again:g}.",
                    "The query does something that explanations do not see yet.",
                )

    return check


def _is_close(one: float, other: float) -> bool:
    # Sums in another order differ in their last digits, so an exact comparison would refuse right values.
    return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))
