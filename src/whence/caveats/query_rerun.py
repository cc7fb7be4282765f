"""Runs the query behind a dataset again, over what is in doubt now, and finds its rows among those that are stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.engine.scan import StoredFlags
from whence.lineage.block import Block, Ids
from whence.lineage.codes import compact, encode
from whence.lineage.decode import decode
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.ids import DatasetId
from whence.plan.context import RewriteContext
from whence.plan.evaluate_once import evaluate_once
from whence.plan.expr import Column, Expr, alias, ref
from whence.plan.expressions import with_expressions
from whence.plan.limits import Limits
from whence.plan.rebuild import rebuild
from whence.plan.repeatable import can_stand_for_another_run
from whence.plan.rewrite import with_lineage
from whence.plan.rowkey import ValueKey
from whence.plan.sites import sites
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.project import Project
from whence.store.store import Store

MOST_ROWS = 5_000_000
"""What is computed for more rows than this is not brought here."""

_SEEDS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))

Codes = tuple[Ids, Ids]
"""A number for each old row and for each new one, the same for rows that are the same."""


@dataclass(frozen=True)
class PreparedQuery:
    """A query over the doubts of now, with what makes a row of it the same row."""

    query: Query
    traced: TracedStep


@dataclass(frozen=True)
class MatchedRows:
    """The wanted columns of the rows that came out, and which stored row each of them is."""

    table: pa.Table
    codes: Codes
    might_lack_rows: bool


class QueryRerun:
    """Runs earlier queries again, over the doubts that their inputs have now."""

    def __init__(self, store: Store, engine: Engine, edges: Edges, flags: StoredFlags | None = None) -> None:
        """`flags` are the doubts that inputs have, if they are not those of now."""
        self._store = store
        self._engine = engine
        self._edges = edges
        self._flags = flags

    @property
    def flags(self) -> StoredFlags:
        """The doubts that inputs have."""
        return self._flags or self._engine.flags

    def prepare(self, record: DatasetRecord, settled_sites: Collection[int]) -> PreparedQuery | None:
        """The query without its own caveats at these sites; None if it cannot run again, or rows are not told apart."""
        query = self._engine.recall(record) if record.rows <= MOST_ROWS else None
        if query is None or query.sources != self._edges.sources(record):
            return None
        plan = query.read.plan
        if plan is None or not can_stand_for_another_run(plan):
            return None
        traced = _with_row_identity(_without(self._with_current_doubts(plan, query), settled_sites), query)
        if not traced.carried_ids and not isinstance(traced.key, ValueKey):
            return None
        return PreparedQuery(query, traced)

    def rows(
        self,
        record: DatasetRecord,
        prepared: PreparedQuery,
        flagged: FlaggedStep,
        wanted: Sequence[Column],
        flags: StoredFlags | None = None,
    ) -> MatchedRows | None:
        """Run the flagged plan; None if other rows come out than are stored. Scans read `flags`, or those of now."""
        query, traced, ids = prepared.query, prepared.traced, prepared.query.read.ids
        shown = tuple(dict.fromkeys(_keys(traced)))  # grouped by the same column twice, rows have one key
        columns = (*wanted, *shown, *(each.column for each in traced.carried_ids))
        columns += () if flagged.present is None else (flagged.present,)
        outputs = tuple(alias(ref(each), ids.column("out", each.type, nullable=True)) for each in columns)
        table = self._engine.to_arrow(self._engine.write(query, Project(flagged.step, outputs), flags or self.flags))
        there = table if flagged.present is None else table.filter(table.column(table.num_columns - 1))
        if there.num_rows != record.rows:  # other rows than the stored ones, about which these say nothing
            return None
        keys = there.select(range(len(wanted), len(wanted) + len(shown) + len(traced.carried_ids)))
        names = [query.columns.index(column) for column in shown]
        codes = (
            self._by_values(record, names, keys) if not traced.carried_ids else self._by_sources(record, traced, keys)
        )
        if codes is None or not _match(codes):
            return None
        might_lack_rows = flagged.is_loose or there.num_rows < table.num_rows
        return MatchedRows(there.select(range(len(wanted))), codes, might_lack_rows)

    def _with_current_doubts(self, plan: Step, query: Query) -> Step:
        """The plan over the flags that stand now."""

        def doubt_of(dataset: DatasetId) -> Doubt:
            return self.flags.doubt(self._store.by_id(dataset))

        over = rebuild(plan, lambda step: step.with_doubts(doubt_of))
        return evaluate_once(over, query.read.ids)

    def _by_values(self, record: DatasetRecord, positions: list[int], keys: pa.Table) -> Codes | None:
        """Rows are the same that show the same keys."""
        names = [record.schema.names[position] for position in positions]
        old = self._store.read(record, 0, record.rows, names)
        numbers = np.zeros(2 * record.rows, dtype=np.int64)
        for name, new in zip(names, keys.columns, strict=True):
            try:
                both = pa.chunked_array([*old.column(name).chunks, *new.cast(old.column(name).type).chunks])
                each = encode(both)
            except pa.ArrowException:
                return None
            numbers = compact(numbers * max(each.count, 1) + each.numbers)[1]
        return numbers[: record.rows], numbers[record.rows :]

    def _by_sources(self, record: DatasetRecord, traced: TracedStep, ids: pa.Table) -> Codes:
        """Rows are the same that were made from the same rows."""
        new, old = decode(traced.carried_ids, ids), self._edges.block(record)
        real = len(self._edges.sources(record))
        known = sorted({number for part in new.parts for number in part.sources if number < real})
        prints = np.concatenate([_fingerprints(block, known, record.rows) for block in (old, new)])
        _, numbers = np.unique(prints, axis=0, return_inverse=True)
        return numbers[: record.rows], numbers[record.rows :]


def _keys(traced: TracedStep) -> tuple[Column, ...]:
    """The columns by which rows are known, where they are known by what they show."""
    return traced.key.columns if isinstance(traced.key, ValueKey) and not traced.carried_ids else ()


def _context(query: Query, traced: frozenset[int] | None = None) -> RewriteContext:
    """Rows are told apart by what they are of; what windows and subqueries read for them is left out."""
    limits = Limits(len(query.sources))
    return RewriteContext(
        ids=query.read.ids, limits=limits, traced_sources=traced, shown_readings=frozenset(), puts_groups_aside=False
    )


def _with_row_identity(plan: Step, query: Query) -> TracedStep:
    """The plan with what makes a row the same row: the keys it shows, or else the ids of what it was made from."""
    traced = with_lineage(plan, _context(query, frozenset()))
    if isinstance(traced.key, ValueKey) and set(traced.key.columns) <= set(query.columns):
        return traced
    return with_lineage(plan, _context(query))


def _without(plan: Step, numbers: Collection[int]) -> Step:
    """The plan without the caveats that it raises at these sites."""
    if not numbers:
        return plan
    known = sites(plan)
    still = {site.caveat for number, site in enumerate(known) if number not in numbers}
    gone = {known[number].caveat for number in numbers} - still

    def drop(node: Expr) -> Expr | None:
        return node.args[0].replace(drop) if node.kind == "caveat" and node in gone else None

    return rebuild(plan, lambda step: with_expressions(step, lambda expr: expr.replace(drop)))


def _match(codes: Codes) -> bool:
    """Whether the new run gave every old row, and no other."""
    old, new = codes
    count = int(max(old.max(initial=-1), new.max(initial=-1))) + 1
    return np.array_equal(np.bincount(old, minlength=count), np.bincount(new, minlength=count))


def _fingerprints(block: Block, sources: list[int], rows: int) -> npt.NDArray[np.uint64]:
    """128 bits for each row, the same for the same set of source rows."""
    sums = np.zeros((rows, 2), dtype=np.uint64)
    for source in sources:
        outs, ids = np.unique(np.stack(block.pairs(source)), axis=1)
        for place, seed in enumerate(_SEEDS):
            np.add.at(sums[:, place], outs, _scatter((ids.astype(np.uint64) + np.uint64(source << 40)) * seed))
    return sums


def _scatter(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Numbers whose sums do not meet by chance: the last steps of SplitMix64."""
    mixed = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
