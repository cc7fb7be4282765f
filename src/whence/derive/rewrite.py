"""Stage 5, rewrite: makes the plan that Spark runs from that of the query, with row ids and then doubt flags."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from whence.caveats.stored_ranges import StoredRanges
from whence.derive.bound_plan import bound_plan, range_outputs, ranged_positions, stored_ranges
from whence.derive.derivation import Derivation, RewrittenPlan, stage_result
from whence.derive.request import DeriveContext
from whence.engine.query import Query
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.strategy import Choice
from whence.model.schema import Schema
from whence.plan.cautious_flags import with_cautious_flags
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext, all_but
from whence.plan.expr import Column, Expr, alias, ref
from whence.plan.limits import Limits
from whence.plan.readings import shown_readings
from whence.plan.rewrite import column_map, with_flags, with_lineage
from whence.plan.rowkey import ValueKey, columns_of
from whence.plan.step import BoundedStep, CarriedIds, Rid, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.steps.window_rows import without_needless_memory


def rewrite_plan(
    services: DeriveContext,
    derivation: Derivation,
    *,
    adds_ranges: bool = False,
    is_cautious: bool = False,
    saves_memory: bool = False,
) -> Derivation:
    """Add the plan with row ids, and over that with doubt flags and ranges, to the derivation.

    Ids come first: id columns are never in doubt themselves, but the ids of ghost rows must stay out of groups. With
    `adds_ranges` bounds are computed along, if ranges are stated. With `is_cautious` no expression is evaluated on a
    row on which the query itself does not evaluate it. With `saves_memory` joins do not copy the ids of groups, which
    takes one more pass over the groups.
    """
    query, schema, chosen = derivation.query, derivation.schema, stage_result(derivation.chosen)
    caveat_sites, choice = chosen.sites, chosen.choice
    columns = column_map(caveat_sites.original_plan)
    context = _context(query, choice, columns, saves_memory=saves_memory)
    deferred = _defer_ids(caveat_sites.plan_with_messages, query, choice, context)
    if deferred is None:
        # What the attempt has collected is no part of this rewrite.
        context = _context(query, choice, columns, saves_memory=saves_memory)
        traced = _with_ids(caveat_sites.plan_with_messages, choice, context)
    else:
        traced = deferred
    traced, windows = without_needless_memory(traced)
    states = services.engine.flags.range_states(query.parents)  # before ranges are read: one that changes is read anew
    with_ranges = bound_plan(services, traced.step, context.ids) if adds_ranges else None
    add_flags = with_cautious_flags if is_cautious else with_flags
    bounded = with_ranges or BoundedStep(add_flags(traced.step, context.ids))
    flagged_plan = bounded.flagged
    hidden = tuple(each for each in dict.fromkeys(columns_of(traced.key)) if each not in query.columns)
    layout = _layout(derivation, bounded, traced.carried_ids, hidden)
    beside = (
        *(each.column for each in traced.carried_ids),
        *hidden,
        *(each.message for each in caveat_sites.raised_sites),
    )
    final = Project(flagged_plan.step, _outputs(query, bounded, layout, beside, context.ids))
    rewritten = RewrittenPlan(
        sites=caveat_sites,
        choice=choice,
        plan=final,
        layout=layout,
        carried_ids=traced.carried_ids,
        is_loose=flagged_plan.is_loose,
        carries_flags=not flagged_plan.is_certain,
        columns=columns,
        key=traced.key,
        hidden=hidden,
        deferred_columns=None if deferred is None else tuple(columns_of(deferred.key)),
        windows=windows,
        context=context,
        ranges=_ranges(query, schema, with_ranges, states),
        computes_bounds=with_ranges is not None,
    )
    return replace(derivation, rewritten=rewritten)


def _ranges(query: Query, schema: Schema, bounded: BoundedStep | None, states: list[str]) -> StoredRanges | None:
    if bounded is None or not bounded.settles_rows:
        return None
    return stored_ranges(query, schema, bounded, states)


def _context(query: Query, choice: Choice, columns: ColumnMap, *, saves_memory: bool) -> RewriteContext:
    count = len(query.sources)
    return RewriteContext(
        ids=query.read.ids,
        limits=Limits(count),
        traced_sources=all_but(count, choice.pruned_sources),
        shown_readings=shown_readings(columns, query.columns),
        puts_groups_aside=saves_memory,
    )


def _layout(
    derivation: Derivation, bounded: BoundedStep, carried: tuple[CarriedIds, ...], hidden: tuple[Column, ...]
) -> OutputLayout:
    query, chosen, flagged = derivation.query, stage_result(derivation.chosen), bounded.flagged
    raised = chosen.sites.raised_sites
    are_alone = not hidden and not raised and chosen.choice.most_bytes is None
    return OutputLayout(
        derivation.schema.names,
        tuple(position for position, column in enumerate(query.columns) if column.id in flagged.cells),
        has_row_flags=flagged.row is not None,
        has_ghosts=flagged.present is not None,
        id_columns=len(carried) + len(hidden) + len(raised),
        range_positions=ranged_positions(query, bounded),
        sources=_sources(carried) if are_alone else None,
    )


def _sources(carried: tuple[CarriedIds, ...]) -> tuple[int, ...] | None:
    """Return the source of each id column; None where a row may carry several ids of a source."""
    found = tuple(each.source for each in carried if isinstance(each, Rid))
    return found if len(set(found)) == len(carried) else None


def _defer_ids(plan: Step, query: Query, choice: Choice, context: RewriteContext) -> TracedStep | None:
    """Return the plan without ids, for lineage found later by the keys of groups; None where ids must travel."""
    if choice.mode == "off" or choice.deferral is None or choice.deferral.pairs(context) is None:
        return None
    traced = choice.deferral.without_ids(plan, context)
    is_shown = isinstance(traced.key, ValueKey) and set(traced.key.columns) <= set(query.columns)
    return traced if is_shown else None


def _with_ids(plan: Step, choice: Choice, context: RewriteContext) -> TracedStep:
    return TracedStep(plan, ()) if choice.mode == "off" else with_lineage(plan, context)


def _outputs(
    query: Query, bounded: BoundedStep, layout: OutputLayout, beside: tuple[Column, ...], ids: ColumnIdAllocator
) -> tuple[Expr, ...]:
    """Return the output columns in the order of the layout, each with a name of its own: a query may repeat one."""
    flagged, ends = bounded.flagged, range_outputs(query, bounded, layout, ids)
    flags = [flagged.cells[query.columns[position].id] for position in layout.flag_positions]
    row, present = ([] if flag is None else [flag] for flag in (flagged.row, flagged.present))
    columns = (*query.columns, *flags, *row, *(end.output for end in ends), *present, *beside)
    values = {end.output: end.args[0] for end in ends}
    made = (ids.column("out", column.type, nullable=True) for column in columns)
    named = (
        column if name is None else replace(column, name=name)
        for column, name in zip_longest(made, layout.written_names)
    )
    return tuple(alias(values.get(column, ref(column)), output) for column, output in zip(columns, named, strict=True))
