"""What a query gives that has a rule for every operator: rows, their lineage, their marks, the caveats behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from whence.caveats.deep import deep_caveats
from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import document_of, part_name
from whence.caveats.raised import Noted, raised_caveats
from whence.caveats.rewritten import Rewritten, rewrite
from whence.caveats.windows import orders
from whence.engine.engine import Engine, Query
from whence.engine.outcome import Outcome
from whence.engine.remember import Remembered
from whence.lineage.beside import Beside
from whence.lineage.block import Block, Ids, to_arrays
from whence.lineage.by_keys import found_by_keys
from whence.lineage.decode import decode
from whence.lineage.document import NAME, LineageDocument, named, numbered
from whence.lineage.stored_key import StoredKey
from whence.lineage.strategy import Choice
from whence.lineage.stretches import readings_to_arrays
from whence.model.dataset import Doubt
from whence.model.schema import Schema
from whence.plan.columnmap import Uses
from whence.plan.formula import NAME as FORMULAS
from whence.plan.formula import Formula, formulas
from whence.plan.limits import Limits
from whence.plan.measures import Measure, is_global, measures
from whence.plan.step import Step
from whence.store.caveat_file import Caveats
from whence.store.draft import Draft
from whence.store.parts import read_parts
from whence.store.runs import Run
from whence.store.store import Store

_SMALL = 32 << 20
"""Bytes of all files that a query reads; of fewer than that no cell is huge."""


def exact_draft(
    store: Store, engine: Engine, query: Query, noted: Noted, schema: Schema, run: Run, text: str, choice: Choice
) -> Draft:
    """Run the query once, with ids and marks beside its rows, and draw up what is to be kept."""
    rewritten = rewrite(noted, query, schema, choice)
    frame, remembered = engine.write_remembering(query, rewritten.plan)
    outcome = engine.run(frame, rewritten.layout, run.staging, _most_rows(store, query, rewritten.plan))
    shown = dict(zip(query.columns, schema.names, strict=True))
    late = None if rewritten.late is None else tuple(shown[column] for column in rewritten.late)
    told = _told_by_keys(store, choice, late, outcome)
    counted = _derivations(query, rewritten, outcome, remembered) if told is None else told
    block = counted if isinstance(counted, Block) and not choice.is_too_much(counted.bytes) else Block(counted.rows)
    uses = _uses(query, rewritten, schema)  # numbers the sources that FILTER clauses limit, which caveats name too
    caveats, about, found_on = _raised(engine, query, noted, rewritten, outcome, schema, choice)
    keys = StoredKey.of(rewritten.key, shown, rewritten.hidden, outcome.ids, len(rewritten.carried))
    return Draft(
        schema,
        outcome.parts,
        text,
        query.parents,
        _doubt(outcome, rewritten.is_loose, schema),
        caveats,
        documents={
            NAME: _lineage(
                query, rewritten.context.limits, noted.plan, late, uses, schema, choice, counted, block
            ).to_json(),
            FORMULAS: _formulas(noted.plan, query, schema),
            CAVEATS: about,
            **keys.documents,
        },
        arrays={**to_arrays(block), **readings_to_arrays(block), **keys.arrays, **found_on},
    )


def _most_rows(store: Store, query: Query, plan: Step) -> int | None:
    """No more rows than this come out; None if what they hold may be large."""
    read = (part.size for parent in query.parents for part in store.manifest(store.by_id(parent)).parts)
    return plan.most_rows if sum(read) <= _SMALL else None


def _told_by_keys(store: Store, choice: Choice, names: Sequence[str] | None, outcome: Outcome) -> Block | None:
    """The block that the columns of these names tell at once; None where rows carried ids, or leave them for later."""
    if choice.keys is None or names is None:
        return None
    return found_by_keys(store, choice.keys, read_parts(outcome.parts, names), outcome.rows)


def _derivations(query: Query, rewritten: Rewritten, outcome: Outcome, remembered: Remembered) -> Block | Beside:
    """The block that the ids make, unless they stand beside the rows, where they are read when somebody asks."""
    if outcome.beside:
        return Beside(outcome.rows, outcome.beside)
    carried = outcome.ids.select(range(len(rewritten.carried)))
    found = orders(rewritten.windows, rewritten.carried, carried, remembered, rewritten.context.limits)
    return decode(rewritten.carried, carried, found)


def _uses(query: Query, rewritten: Rewritten, schema: Schema) -> tuple[dict[str, Uses], Uses]:
    """What each column reads, and what the row as a whole does."""
    limits = rewritten.context.limits
    values = named(rewritten.columns, (column.id for column in query.columns), schema.names, limits)
    return values, numbered(rewritten.columns.row, limits)


def _lineage(
    query: Query,
    limits: Limits,
    plan: Step,
    late: tuple[str, ...] | None,
    uses: tuple[dict[str, Uses], Uses],
    schema: Schema,
    choice: Choice,
    counted: Block | Beside,
    kept: Block,
) -> LineageDocument:
    """What is known of the lineage: its sources, which columns read which, and how far the block goes."""
    remarks = (step.remark for step in plan.walk() if step.remark)
    return LineageDocument(
        (*query.sources, *(query.sources[origin] for origin in limits.origins)),
        choice.mode != "off" and not choice.is_too_much(counted.bytes),
        " ".join((choice.describe(counted.bytes, is_by_keys=late is not None), *remarks)),
        len(kept.parts),
        *uses,
        has_maps=bool(kept.readings),
        real=len(query.sources),
        influences=plan.influences(),
        measures=_measured(plan, query, schema),
        is_global=is_global(plan),
        late=late if choice.keys is None else None,
        pruned=frozenset(choice.pruned),
        derivations=counted.derivations,
        beside=counted.sources if isinstance(counted, Beside) else (),
    )


def _raised(
    engine: Engine, query: Query, noted: Noted, rewritten: Rewritten, outcome: Outcome, schema: Schema, choice: Choice
) -> tuple[Caveats, dict[str, object], dict[str, dict[str, Ids]]]:
    """The caveats the query itself raised, what they reach, and the source rows they were raised on."""
    deep = list(deep_caveats(engine, query, noted, rewritten.context, lineage=choice.mode != "off"))
    blocks = {each.number: to_arrays(each.rows) for each in deep if each.rows is not None}
    ids = dict(zip(schema.names, (column.id for column in query.columns), strict=True))
    about = document_of(noted.plan, rewritten.columns, ids, noted.sites, rewritten.context.limits)
    about = replace(about, parts={site: len(files) for site, files in blocks.items()})
    tables = [*raised_caveats(noted, about, outcome.ids), *(each.caveats for each in deep)]
    files = {
        part_name(site, part): arrays for site, made in blocks.items() for part, arrays in enumerate(made.values())
    }
    return Caveats(pa.concat_tables([Caveats.of(()).table, *tables])), about.to_json(), files


def _formulas(plan: Step, query: Query, schema: Schema) -> dict[str, Formula]:
    return formulas(plan, zip(query.columns, schema.names, strict=True))


def _measured(plan: Step, query: Query, schema: Schema) -> dict[str, Measure] | None:
    found = measures(plan)
    if found is None:
        return None
    return {name: found[column.id] for name, column in zip(schema.names, query.columns, strict=True)}


def _doubt(outcome: Outcome, is_loose: bool, schema: Schema) -> Doubt:
    columns = frozenset(schema.names[position] for position in outcome.marked_columns)
    return Doubt(columns, outcome.has_row_marks, is_loose or outcome.ghosts > 0)
