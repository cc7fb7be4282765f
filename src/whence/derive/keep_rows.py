"""Stages 2 to 6 for a query whose inputs lost rows: rows of an earlier version stay where no row behind them went.

Lineage says which rows of the result were made from rows that went. If these alone can change, the plan runs on the
input rows behind them only, and if none of them can stay, it does not run at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.derive.answer_here import MOST_ROWS, answer_here, compute_groups
from whence.derive.choose_capture import choose_capture
from whence.derive.derivation import Derivation, Execution, RewrittenPlan, stage_result
from whence.derive.earlier_version import EarlierVersion
from whence.derive.read_plan import begin_derivation
from whence.derive.request import DeriveContext, Request
from whence.derive.reuse import with_fingerprint
from whence.derive.rewrite import rewrite_plan
from whence.derive.rule_failure import RuleFailure, guard_rules
from whence.engine.outcome import Outcome
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.block import NO_ROW, Block, Ids, Part
from whence.model.errors import NotRowByRow
from whence.model.schema import id_column
from whence.plan.caveat_questions import asks_for_bounds
from whence.plan.locality import is_local
from whence.plan.measures import is_global
from whence.plan.plain_query import plain_groups
from whence.plan.rebuild import rebuild
from whence.plan.step import Step
from whence.store.cut_rows import Mask, cut_parts, new_rids, stored_columns
from whence.store.layout import ROWS, part_path
from whence.store.parts import ROW_GROUP, PartFile, read_parts, write_part
from whence.store.runs import Run
from whence.store.spliced_part import Changes

_MOST_AGAIN = 4
"""If more than one in so many rows of an input stand behind rows that change, the whole query runs again."""


def keep_rows(context: DeriveContext, request: Request, run: Run) -> Derivation | None:
    """Return a derivation with its rows, for which the query need not run as a whole; None if it has to."""
    earlier = request.earlier
    if earlier is None or earlier.query is None:
        return None
    try:
        derivation = _rewritten(context, begin_derivation(context, request, run, earlier.query))
    except (RuleFailure, NotRowByRow):
        return None
    if not _is_plain(derivation) or earlier.record.schema != derivation.schema:
        return None
    kept = _from_earlier(context, derivation, earlier)
    if kept is not None:
        return kept
    names = stage_result(derivation.rewritten).layout.written_names
    if stored_columns(context.store, earlier.record) != names:
        return None
    return answer_here(context, derivation, context.store.read(earlier.record, 0, 0, names).schema)


def _rewritten(context: DeriveContext, derivation: Derivation) -> Derivation:
    with guard_rules(context.engine, "rewrite"):
        derivation = with_fingerprint(context, derivation)
        return rewrite_plan(context, choose_capture(context, derivation), adds_ranges=True)


def _from_earlier(context: DeriveContext, derivation: Derivation, earlier: EarlierVersion) -> Derivation | None:
    """Return the derivation with rows of the earlier version, where lineage tells which of them change."""
    rewritten = stage_result(derivation.rewritten)
    losing = _losing_sources(derivation, earlier) if _fits(context, earlier, rewritten) else None
    plan = rewritten.sites.original_plan
    if not losing or not is_local(plan, losing):
        return None
    touched = _touched_rows(earlier, losing)
    if _only_drops(plan, rewritten.layout):
        return _with_parts(context, derivation, earlier, touched, losing)
    if not _makes_groups_apart(plan) or rewritten.layout.written_names != list(rewritten.layout.names):
        return None
    chosen = _rows_behind(earlier, touched, losing[0])
    if len(chosen) * _MOST_AGAIN > len(losing[0]) or len(chosen) > MOST_ROWS:
        return None
    made = _group(context, derivation, earlier, chosen, touched=touched, moved=losing[0]) or _run_on(
        context, derivation, chosen
    )
    return _with_parts(context, made, earlier, touched, losing)


def _is_plain(derivation: Derivation) -> bool:
    """Whether part files hold nothing but what a query shows and the ids of rows, and lineage is exact."""
    rewritten = stage_result(derivation.rewritten)
    return not (
        rewritten.choice.mode == "off"
        or derivation.input_flags
        or rewritten.sites.sites
        or rewritten.windows
        or asks_for_bounds(rewritten.sites.original_plan)
        or rewritten.hidden
        or rewritten.is_loose
        or rewritten.layout.has_ghosts
    )


def _fits(context: DeriveContext, earlier: EarlierVersion, rewritten: RewrittenPlan) -> bool:
    """Whether the files of the earlier version hold what a run would write, and its lineage is known."""
    document, layout = earlier.edges.document(earlier.record), rewritten.layout
    return (
        document is not None
        and document.is_exact
        and not (document.has_maps or document.is_declared or document.pruned_sources)
        and not (earlier.record.doubt.row_set or layout.inline_sources is None)
        and stored_columns(context.store, earlier.record) == layout.written_names
        and earlier.edges.is_at_hand(earlier.record)
    )


def _losing_sources(derivation: Derivation, earlier: EarlierVersion) -> dict[int, Ids] | None:
    """Return the new row ids of each source that loses rows; None if an input changed in another way."""
    before, now = earlier.edges.sources(earlier.record), derivation.query.sources
    if len(before) != len(now):
        return None
    pairs = list(enumerate(zip(before, now, strict=True)))
    if any(old != new and old not in earlier.moved for _, (old, new) in pairs):
        return None
    return {number: earlier.moved[old] for number, (old, new) in pairs if old != new}


def _touched_rows(earlier: EarlierVersion, losing: Mapping[int, Ids]) -> Mask:
    """Return for each row of the earlier version whether a row that went is behind it."""
    touched = np.zeros(earlier.record.rows, dtype=bool)
    for source, moved in losing.items():
        outs, ids = earlier.edges.block(earlier.record).pairs(source)
        touched[outs[moved[ids] < 0]] = True
    return touched


def _only_drops(plan: Step, layout: OutputLayout) -> bool:
    """Whether each row is made from one row of each source, and goes with any of them."""
    is_conjunctive = all(step.traits.is_conjunctive and not step.traits.groups_rows for step in plan.walk())
    # A source of which rows carry no id is one that they are compared with.
    return is_conjunctive and plan.sources == set(layout.inline_sources or ()) and not plan.influences()


def _makes_groups_apart(plan: Step) -> bool:
    """Whether the rows behind a group make nothing but this group, in whatever order groups come."""
    steps = list(plan.walk())
    is_apart = all(step.traits.is_one_way and len(step.inputs) < 2 for step in steps)
    return is_apart and not is_global(plan) and not plan.row_order and plan.sources == {0}


def _rows_behind(earlier: EarlierVersion, touched: Mask, moved: Ids) -> Ids:
    """Return the new ids of the rows that stay behind touched rows."""
    outs, ids = earlier.edges.block(earlier.record).pairs(0)
    behind = moved[ids[touched[outs]]]
    found: Ids = np.unique(behind[behind >= 0])
    return found


def _group(
    context: DeriveContext, derivation: Derivation, earlier: EarlierVersion, chosen: Ids, *, touched: Mask, moved: Ids
) -> Derivation | None:
    """Compute the groups of a few rows here, if all that is computed are plain aggregates."""
    rewritten, store = stage_result(derivation.rewritten), context.store
    groups = plain_groups(rewritten.sites.original_plan, partial(context.engine.constant, derivation.query))
    if groups is None:
        return None
    types = store.read(earlier.record, 0, 0, rewritten.layout.written_names).schema
    found = compute_groups(store, store.by_id(derivation.query.sources[0]), groups, chosen, types)
    if found is None:
        return None
    part = write_part(derivation.run.staging / "groups.parquet", found[0].to_batches(), types, store.late_syncs)
    outcome, members = Outcome.of((part,), rewritten.layout, set()), _moved_groups(earlier, touched, moved, found[1])
    return replace(derivation, execution=Execution(outcome, None, members))


def _moved_groups(earlier: EarlierVersion, touched: Mask, moved: Ids, again: pa.ListArray) -> Block:
    """Return the rows of each group now: `again` holds those of groups that were computed again, which come last."""
    outs, ids = earlier.edges.block(earlier.record).pairs(0)
    kept = int((~touched).sum())
    places_again = np.full(len(moved), NO_ROW, dtype=np.int32)
    places_again[again.flatten().to_numpy()] = kept + np.repeat(np.arange(len(again)), again.value_lengths().to_numpy())
    now = moved[ids]
    places = np.where(touched[outs], places_again[now], new_rids(~touched)[outs])
    stays = now >= 0
    narrow = np.dtype(np.int32 if len(moved) < 2**31 else np.int64)
    part = Part(places[stays].astype(np.int32), {0: now[stays].astype(narrow)})
    return Block(kept + len(again), (part,))


def _run_on(context: DeriveContext, derivation: Derivation, chosen: Ids) -> Derivation:
    """Run the plan on a few rows of its only source, which stand in a file of their own meanwhile."""
    rewritten, engine, store = stage_result(derivation.rewritten), context.engine, context.store
    source, staging = store.by_id(derivation.query.sources[0]), derivation.run.staging
    rows = store.take(source, chosen, stored_columns(store, source))
    write_part(staging / "behind" / part_path(0), rows.to_batches(), rows.schema)
    folders = {source.id: str(staging / "behind" / ROWS)}
    plan = rebuild(rewritten.plan, lambda step: step.over_rows(folders))
    frame, remembered = engine.write_remembering(derivation.query, plan)
    outcome = engine.run(frame, rewritten.layout, staging / "again", max(len(chosen), 1), is_small=True)
    return replace(derivation, execution=Execution(outcome, remembered))


def _renumbered(moved: Ids) -> Callable[[pa.Array], pa.Array]:
    """Return what gives the ids in part files the numbers that rows of an input have now."""
    numbers = np.append(moved, NO_ROW)

    def renumber(ids: pa.Array) -> pa.Array:
        old = ids.fill_null(NO_ROW).to_numpy(zero_copy_only=False)
        return pa.array(numbers[old], mask=ids.is_null().to_numpy(zero_copy_only=False)).cast(ids.type)

    return renumber


def _with_parts(
    context: DeriveContext,
    derivation: Derivation,
    earlier: EarlierVersion,
    touched: Mask,
    losing: Mapping[int, Ids],
) -> Derivation:
    """Put the rows that stay before those that were made again, if there are any."""
    layout, again = stage_result(derivation.rewritten).layout, derivation.execution
    ids = {id_column(source): _renumbered(losing[source]) for source in layout.inline_sources or () if source in losing}
    if again is not None and earlier.record.rows <= ROW_GROUP:
        parts: tuple[PartFile, ...] = (
            _one_part(context, derivation, earlier, stays=~touched, again=again.outcome.parts, changes=ids),
        )
        flags = _flags_of(layout, parts)
    else:
        kept = tuple(cut_parts(context.store, derivation.run.staging, earlier.record, ~touched, ids))
        parts, flags = (*kept, *(() if again is None else again.outcome.parts)), _flags_of(layout, kept)
    outcome = Outcome.of(parts, layout, flags, beside=layout.inline_sources or ())
    earlier.rids = new_rids(~touched) if again is None else None
    execution = Execution(outcome, None) if again is None else replace(again, outcome=outcome)
    return replace(derivation, execution=execution)


def _one_part(
    context: DeriveContext,
    derivation: Derivation,
    earlier: EarlierVersion,
    *,
    stays: Mask,
    again: tuple[PartFile, ...],
    changes: Changes,
) -> PartFile:
    """Write a few rows into one part, those that stay first. Else each forgetting would leave one part more."""
    store = context.store
    names = stored_columns(store, earlier.record)
    kept = store.read(earlier.record, 0, earlier.record.rows, names).filter(pa.array(stays))
    for place, field in enumerate(kept.schema):
        if field.name in changes:
            kept = kept.set_column(place, field, changes[field.name](kept.column(place).combine_chunks()))
    table = pa.concat_tables([kept, read_parts(again, names).cast(kept.schema)])
    return write_part(derivation.run.staging / "all.parquet", table.to_batches(), table.schema, store.late_syncs)


def _flags_of(layout: OutputLayout, parts: tuple[PartFile, ...]) -> set[int]:
    """Return the positions of the stored flag columns in which a flag is set."""
    first, names = len(layout.names), layout.stored_names
    table = read_parts(parts, names[first:])
    return {first + place for place, flags in enumerate(table.columns) if pc.any(flags).as_py()}
