"""Doubt flags as a fresh run of a dataset's query would set them: its plan runs again, for the flags alone.

Following lineage after an acknowledgement gives only an upper bound: a value that is certain again may settle another,
and absent rows have no lineage. Running the plan gives the exact flags.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.caveats.influence import ROW, Part
from whence.caveats.own_caveats import Mask
from whence.caveats.reach import FlagMasks
from whence.engine.blame import is_own_error
from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.lineage.block import Block, Ids
from whence.lineage.codes import compact, encode
from whence.lineage.decode import decode
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.plan.context import RewriteContext
from whence.plan.evaluate_once import evaluate_once
from whence.plan.expr import Column, Expr, alias, ref
from whence.plan.expressions import with_expressions
from whence.plan.limits import Limits
from whence.plan.rebuild import rebuild
from whence.plan.repeatable import can_stand_for_another_run
from whence.plan.rewrite import with_flags, with_lineage
from whence.plan.rowkey import ValueKey
from whence.plan.sites import sites
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.project import Project
from whence.store.store import Store

MOST_ROWS = 5_000_000
"""The flags of more rows than this are not brought here."""

_SEEDS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))

Codes = tuple[Ids, Ids]
"""A number for each old row and for each new one, the same for rows that are the same."""


class RecomputedFlags:
    """Runs earlier queries again, over the doubt flags that their inputs have now."""

    def __init__(self, store: Store, engine: Engine, edges: Edges) -> None:
        self._store = store
        self._engine = engine
        self._edges = edges

    def of(self, record: DatasetRecord, settled_sites: Collection[int]) -> FlagMasks | None:
        """The flags of a dataset, without caveats of its own query at these sites; None if that cannot be told."""
        try:
            query = self._engine.recall(record) if record.rows <= MOST_ROWS else None
            if query is None or query.sources != self._edges.sources(record):
                return None
            plan = query.read.plan
            if plan is None or not can_stand_for_another_run(plan):
                return None
            return self._run(record, query, _without(self._with_current_doubts(plan, query), settled_sites))
        except Exception as error:  # what was worked out without a run is right, too, if not as close
            is_own = is_own_error(error) and not self._engine.raises_internal_errors
            if isinstance(error, WhenceError) or is_own:
                return None
            raise

    def _with_current_doubts(self, plan: Step, query: Query) -> Step:
        """The plan over the flags that stand now."""

        def doubt_of(dataset: DatasetId) -> Doubt:
            return self._engine.flags.doubt(self._store.by_id(dataset))

        over = rebuild(plan, lambda step: step.with_doubts(doubt_of))
        return evaluate_once(over, query.read.ids)

    def _run(self, record: DatasetRecord, query: Query, plan: Step) -> FlagMasks | None:
        traced = _with_row_identity(plan, query)
        if not traced.carried_ids and not isinstance(traced.key, ValueKey):
            return None
        flagged = with_flags(traced.step, query.read.ids)
        if flagged.is_certain:
            return FlagMasks({}, False)
        flags = _flags(query, flagged)
        shown = tuple(dict.fromkeys(_keys(traced)))  # grouped by the same column twice, rows have one key
        wanted = (*flags.values(), *shown, *(each.column for each in traced.carried_ids))
        wanted += () if flagged.present is None else (flagged.present,)
        ids = query.read.ids
        outputs = tuple(alias(ref(each), ids.column("out", each.type, nullable=True)) for each in wanted)
        table = self._engine.to_arrow(self._engine.write(query, Project(flagged.step, outputs)))
        there = table if flagged.present is None else table.filter(table.column(table.num_columns - 1))
        row_set = flagged.is_loose or there.num_rows < table.num_rows
        if there.num_rows != record.rows:  # other rows than the stored ones, about which these flags say nothing
            return None
        keys = there.select(range(len(flags), len(flags) + len(shown) + len(traced.carried_ids)))
        names = [query.columns.index(column) for column in shown]
        codes = (
            self._by_values(record, names, keys) if not traced.carried_ids else self._by_sources(record, traced, keys)
        )
        if codes is None or not _match(codes):
            return None
        masks = {
            part: _move_flags(there.column(number), codes) for number, part in enumerate(self._parts(record, flags))
        }
        return FlagMasks({part: mask for part, mask in masks.items() if mask.any()}, row_set)

    def _parts(self, record: DatasetRecord, flags: dict[int | None, Column]) -> list[Part]:
        return [ROW if position is None else record.schema.names[position] for position in flags]

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
    return RewriteContext(ids=query.read.ids, limits=limits, traced_sources=traced, shown_readings=frozenset())


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


def _flags(query: Query, flagged: FlaggedStep) -> dict[int | None, Column]:
    """The flag of each column by its place, and that of the row."""
    flags: dict[int | None, Column] = {
        place: flagged.cells[column.id] for place, column in enumerate(query.columns) if column.id in flagged.cells
    }
    return flags if flagged.row is None else {**flags, None: flagged.row}


def _match(codes: Codes) -> bool:
    """Whether the new run gave every old row, and no other."""
    old, new = codes
    count = int(max(old.max(initial=-1), new.max(initial=-1))) + 1
    return np.array_equal(np.bincount(old, minlength=count), np.bincount(new, minlength=count))


def _move_flags(flags: pa.ChunkedArray, codes: Codes) -> Mask:
    """The flags of new rows on the old ones; rows that nothing tells apart share theirs."""
    old, new = codes
    is_set = flags.fill_null(False).to_numpy().astype(bool)
    flagged = np.zeros(int(old.max(initial=-1)) + 1, dtype=bool)
    flagged[new[is_set]] = True
    mask: Mask = flagged[old]
    return mask


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
