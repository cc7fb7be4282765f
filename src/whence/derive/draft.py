"""Stage 7, the draft: what is stored of a run, if every operator has a rule: rows, lineage, flags, caveats, keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from whence.caveats.deep_caveats import deep_caveats
from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import document_of, part_name
from whence.caveats.sites import raised_caveats
from whence.caveats.stored_ranges import NAME as RANGES
from whence.derive.derivation import Derivation, Execution, RewrittenPlan, stage_result
from whence.derive.request import DeriveContext
from whence.engine.engine import Engine
from whence.engine.fitted_models import fitted_models
from whence.engine.outcome import Outcome
from whence.engine.query import Query
from whence.lineage.block import Block, Ids, to_arrays
from whence.lineage.by_keys import find_groups_by_keys
from whence.lineage.decode import decode
from whence.lineage.document import NAME, LineageDocument, number_limited_sources, uses_by_name
from whence.lineage.inline_ids import InlineRowIds
from whence.lineage.stored_key import StoredKey
from whence.lineage.strategy import Choice, describe_models
from whence.lineage.stretches import readings_to_arrays
from whence.lineage.windows import window_orders
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.schema import Schema
from whence.plan.columnmap import Uses
from whence.plan.expr import Column
from whence.plan.formula import NAME as FORMULAS
from whence.plan.formula import formulas
from whence.plan.formula_document import write_formulas
from whence.plan.grounds_document import NAME as GROUNDS
from whence.plan.grounds_document import grounds_document
from whence.plan.measures import Measure, is_global, measures
from whence.plan.shape import shape_of
from whence.plan.step import Step
from whence.store.caveat_file import Caveats
from whence.store.draft import Draft
from whence.store.parts import read_parts
from whence.store.store import Store


def exact_draft(context: DeriveContext, derivation: Derivation) -> Draft:
    """Draw up what is stored of a run: rows, flags, derivations, caveats, row keys."""
    rewritten, execution = stage_result(derivation.rewritten), stage_result(derivation.execution)
    query, schema, outcome, choice = derivation.query, derivation.schema, execution.outcome, rewritten.choice
    shown = dict(zip(query.columns, schema.names, strict=True))
    deferred_keys = (
        None if rewritten.deferred_columns is None else tuple(shown[column] for column in rewritten.deferred_columns)
    )
    by_keys = _derivations_by_keys(context.store, choice, deferred_keys, execution)
    counted = _carried_derivations(rewritten, execution) if by_keys is None else by_keys
    block = counted if isinstance(counted, Block) and not choice.is_too_much(counted.bytes) else Block(counted.rows)
    # Before the caveats: this numbers the limited sources, and caveats name them by these numbers.
    lineage = _lineage(derivation, rewritten, deferred_keys, counted, block)
    caveats = _caveats(context.engine, derivation, rewritten, outcome)
    keys = StoredKey.of(rewritten.key, shown, rewritten.hidden, outcome.ids, len(rewritten.carried_ids))
    return Draft(
        schema=schema,
        parts=outcome.parts,
        text=derivation.request.text,
        parents=query.parents,
        doubt=_doubt(outcome, rewritten.is_loose, schema),
        caveats=caveats.table,
        documents={
            NAME: lineage.to_json(),
            FORMULAS: _formulas(rewritten.sites.original_plan, query, schema),
            CAVEATS: caveats.document,
            **_grounds(rewritten, shown),
            **_ranges(rewritten, outcome),
            **keys.documents,
        },
        arrays={**to_arrays(block), **readings_to_arrays(block), **keys.arrays, **caveats.rows},
    )


def _ranges(rewritten: RewrittenPlan, outcome: Outcome) -> dict[str, object]:
    """Return the document about the ranges that the run stored; none where it stored none."""
    ranges = rewritten.ranges
    return {} if ranges is None else {RANGES: ranges.with_statistics(outcome.parts).to_json()}


def _grounds(rewritten: RewrittenPlan, shown: Mapping[Column, str]) -> dict[str, object]:
    """Return the document that says which values are written in the query; most queries have none."""
    document = grounds_document(rewritten.sites.original_plan, shown.items(), rewritten.columns)
    return {} if document is None else {GROUNDS: document}


def _derivations_by_keys(
    store: Store, choice: Choice, names: Sequence[str] | None, execution: Execution
) -> Block | None:
    """Find the block now by the key columns of these names; None where rows carried ids, or the block is deferred."""
    if choice.keys is None or names is None:
        return None
    if execution.groups is not None:
        return execution.groups
    outcome = execution.outcome
    return find_groups_by_keys(store, choice.keys, read_parts(outcome.parts, names), outcome.rows)


def _carried_derivations(rewritten: RewrittenPlan, execution: Execution) -> Block | InlineRowIds:
    """Make the block from the ids that rows carried; ids in the part files stay there until a question reads them."""
    outcome = execution.outcome
    if outcome.inline_sources:
        return InlineRowIds(outcome.rows, outcome.inline_sources)
    carried = outcome.ids.select(range(len(rewritten.carried_ids)))
    found = window_orders(
        rewritten.windows, rewritten.carried_ids, carried, execution.window_tables, rewritten.context.limits
    )
    return decode(rewritten.carried_ids, carried, found)


def _uses(query: Query, rewritten: RewrittenPlan, schema: Schema) -> tuple[dict[str, Uses], Uses]:
    """Return which source columns each column reads, and which decide about the row as a whole."""
    limits = rewritten.context.limits
    values = uses_by_name(rewritten.columns, (column.id for column in query.columns), schema.names, limits)
    return values, number_limited_sources(rewritten.columns.row, limits)


def _lineage(
    derivation: Derivation,
    rewritten: RewrittenPlan,
    deferred_keys: tuple[str, ...] | None,
    counted: Block | InlineRowIds,
    kept: Block,
) -> LineageDocument:
    """Write the lineage document: the sources, which columns read which, and how the block was captured."""
    query, plan, choice = derivation.query, rewritten.sites.original_plan, rewritten.choice
    uses, limits = _uses(query, rewritten, derivation.schema), rewritten.context.limits
    models = fitted_models(query)
    remarks = (*(step.remark for step in plan.walk() if step.remark), *describe_models(models))
    return LineageDocument(
        (*query.sources, *(query.sources[origin] for origin in limits.origins)),
        choice.mode != "off" and not choice.is_too_much(counted.bytes),
        " ".join((choice.describe(counted.bytes, is_by_keys=deferred_keys is not None), *remarks)),
        len(kept.parts),
        *uses,
        has_maps=bool(kept.readings),
        leaf_count=len(query.sources),
        influences=plan.influences(),
        measures=_measures_by_name(plan, query, derivation.schema),
        is_global=is_global(plan),
        deferred_keys=deferred_keys if choice.keys is None else None,
        pruned_sources=frozenset(choice.pruned_sources),
        derivations=counted.derivations,
        query=derivation.fingerprint,
        inline_sources=counted.sources if isinstance(counted, InlineRowIds) else (),
        fitted_models=models,
        shape=shape_of(plan, list(zip(query.columns, derivation.schema.names, strict=True))),
    )


@dataclass(frozen=True)
class _QueryCaveats:
    """The caveats a query raised itself, what they reach, and the source rows they were raised on."""

    table: Caveats
    document: dict[str, object]
    rows: dict[str, dict[str, Ids]]


def _caveats(engine: Engine, derivation: Derivation, rewritten: RewrittenPlan, outcome: Outcome) -> _QueryCaveats:
    query, sites = derivation.query, rewritten.sites
    deep = list(deep_caveats(engine, query, sites, rewritten.context, lineage=rewritten.choice.mode != "off"))
    blocks = {each.number: to_arrays(each.rows) for each in deep if each.rows is not None}
    ids = dict(zip(derivation.schema.names, (column.id for column in query.columns), strict=True))
    about = document_of(sites.original_plan, rewritten.columns, ids, sites.sites, rewritten.context.limits)
    about = replace(about, parts={site: len(files) for site, files in blocks.items()})
    tables = [*raised_caveats(sites, about, outcome.ids), *(each.caveats for each in deep)]
    files = {
        part_name(site, part): arrays for site, made in blocks.items() for part, arrays in enumerate(made.values())
    }
    stated = Caveats.of([Caveat(each, "lineage") for each in describe_models(fitted_models(query))])
    return _QueryCaveats(Caveats(pa.concat_tables([stated.table, *tables])), about.to_json(), files)


def _formulas(plan: Step, query: Query, schema: Schema) -> dict[str, object]:
    return write_formulas(formulas(plan, zip(query.columns, schema.names, strict=True)))


def _measures_by_name(plan: Step, query: Query, schema: Schema) -> dict[str, Measure] | None:
    found = measures(plan)
    if found is None:
        return None
    return {name: found[column.id] for name, column in zip(schema.names, query.columns, strict=True)}


def _doubt(outcome: Outcome, is_loose: bool, schema: Schema) -> Doubt:
    columns = frozenset(schema.names[position] for position in outcome.flagged_columns)
    return Doubt(columns, outcome.has_row_flags, is_loose or outcome.ghosts > 0)
