"""Makes a dataset from a query: its rows, their lineage and their marks, in one run of Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pyarrow as pa

from whence.caveats.capture import ALWAYS, Capture
from whence.caveats.deep import deep_caveats
from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import document_of, part_name
from whence.caveats.raised import Noted, note, raised_caveats
from whence.caveats.windows import orders
from whence.engine.engine import Engine, Query
from whence.engine.frames import Frame
from whence.engine.run import Outcome
from whence.engine.sql_functions import without_marks
from whence.engine.worker.write_parts import Layout
from whence.lineage.block import Block, Ids, to_arrays
from whence.lineage.decode import decode
from whence.lineage.document import NAME, LineageDocument, named, numbered
from whence.lineage.stored_key import StoredKey
from whence.lineage.strategy import Choice, Mode, Observed, choose
from whence.lineage.stretches import readings_to_arrays
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Doubt, Origin
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema, unique_names
from whence.plan.columnmap import ColumnMap, Uses
from whence.plan.expr import Column, Expr, alias, ref
from whence.plan.formula import NAME as FORMULAS
from whence.plan.formula import Formula, formulas
from whence.plan.fresh import Fresh
from whence.plan.limits import Limits
from whence.plan.measures import Measure, is_global, measures
from whence.plan.readings import shown_readings
from whence.plan.rewrite import column_map, with_lineage, with_marks
from whence.plan.rowkey import RowKey, Values, columns_of
from whence.plan.settled import settled
from whence.plan.step import Carried, Marked, Step, Traced
from whence.plan.steps.on_top import without_needless_memory
from whence.plan.steps.project import Project
from whence.plan.steps.window_rows import WindowRows
from whence.store.caveat_file import Caveats
from whence.store.draft import Draft
from whence.store.runs import Run
from whence.store.store import Store


@dataclass(frozen=True)
class _Rewritten:
    """The plan to run, what its columns are, and what they will say."""

    plan: Step
    layout: Layout
    carried: tuple[Carried, ...]
    is_loose: bool
    columns: ColumnMap
    key: RowKey | None
    hidden: tuple[Column, ...]
    """Columns that the row key reads and the query does not show."""
    late: tuple[Column, ...] | None
    """Columns that show what the rows were grouped by, where their ids were left for later."""
    windows: tuple[WindowRows, ...]


def derive(
    store: Store, engine: Engine, frame: Frame, name: str, origin: Origin, text: str, *, capture: Capture = ALWAYS
) -> DatasetRecord:
    """Run a query over datasets of this workspace and keep what it gives."""
    return derive_query(store, engine, engine.read(frame), name, origin, text, capture=capture)


def derive_query(
    store: Store,
    engine: Engine,
    query: Query,
    name: str,
    origin: Origin,
    text: str,
    *,
    capture: Capture = ALWAYS,
    documents: Mapping[str, object] | None = None,
    said: tuple[Caveat, ...] = (),
) -> DatasetRecord:
    """Run a query that was read, or steps put over one, and keep what it gives, with what was said about it."""
    plan = query.read.plan
    with _run(store, origin, name) as run:
        schema = _schema(query)
        if plan is None:
            draft = _coarse(store, engine, query, schema, run, text)
        else:
            noted = note(settled(plan, query.read.fresh), query.read.fresh)
            choice = _chosen(noted, capture, lambda: _observed(store, name, text))
            choice = replace(choice, pruned=_pruned(store, query, capture), most_bytes=capture.most_bytes)
            draft = _exact(engine, query, noted, schema, run, text, choice)
        documents = {**draft.documents, **(documents or {})}
        caveats = Caveats.of([*draft.caveats, *said]) if said else draft.caveats
        record = store.publish(run, replace(draft, documents=documents, caveats=caveats))
    engine.remember(record.id, query)
    return record


def _chosen(noted: Noted, capture: Capture, observed: Callable[[], Observed | None]) -> Choice:
    """The messages of caveats travel with the rows, so they leave no lineage for later."""
    mode: Mode = "inject" if noted.sites and capture.mode != "off" else capture.mode
    return choose(noted.step, mode, observed, can_ask_again=capture.can_ask_again)


def _pruned(store: Store, query: Query, capture: Capture) -> dict[int, str]:
    """The sources whose rows nobody wants traced, with their names."""
    if capture.only is None:
        return {}
    names = enumerate(store.by_id(source).name for source in query.sources)
    return {number: name for number, name in names if name.lower() not in capture.only}


def _observed(store: Store, name: str, text: str) -> Observed | None:
    """What the newest version of a name has taught, if the same query made it."""
    try:
        last = store.current(name)
    except UnknownDataset:
        return None
    content = store.document(last, NAME) if last.text == text else None
    return None if content is None else Observed(last.rows, LineageDocument.from_json(content).derivations)


@contextmanager
def _run(store: Store, origin: Origin, name: str) -> Iterator[Run]:
    run = store.begin(origin, name)
    try:
        yield run
    except BaseException as error:
        store.abandon(run, str(error) or type(error).__name__)
        raise


def _exact(engine: Engine, query: Query, noted: Noted, schema: Schema, run: Run, text: str, choice: Choice) -> Draft:
    plan, rewritten = noted.plan, rewrite(noted, query, schema, choice)
    frame, remembered = engine.write_remembering(query, rewritten.plan)
    outcome = engine.run(frame, rewritten.layout, run.staging)
    carried = outcome.ids.select(range(len(rewritten.carried)))
    found = orders(rewritten.windows, rewritten.carried, carried, remembered, query.read.fresh.limits)
    counted = decode(rewritten.carried, carried, found)
    block = Block(counted.rows) if choice.is_too_much(counted.bytes) else counted
    limits = query.read.fresh.limits
    values = named(rewritten.columns, (column.id for column in query.columns), schema.names, limits)
    row = numbered(rewritten.columns.row, limits)
    caveats, about, found_on = _raised(engine, query, noted, rewritten.columns, outcome, schema, choice)
    sources = (*query.sources, *(query.sources[origin] for origin in limits.origins))
    shown = dict(zip(query.columns, schema.names, strict=True))
    late = rewritten.late
    document = LineageDocument(
        sources,
        choice.mode != "off" and not choice.is_too_much(counted.bytes),
        " ".join((choice.describe(counted.bytes, is_late=late is not None), *query.read.fresh.notes)),
        len(block.parts),
        values,
        row,
        has_maps=bool(block.readings),
        real=len(query.sources),
        influences=plan.influences(),
        measures=_measured(plan, query, schema),
        is_global=is_global(plan),
        late=None if late is None else tuple(shown[column] for column in late),
        pruned=frozenset(choice.pruned),
        derivations=counted.derivations,
    )
    keys = StoredKey.of(rewritten.key, shown, rewritten.hidden, outcome.ids, len(rewritten.carried))
    return Draft(
        schema,
        outcome.parts,
        text,
        _parents(query.sources),
        _doubt(outcome, rewritten.is_loose, schema),
        caveats,
        documents={
            NAME: document.to_json(),
            FORMULAS: _formulas(plan, query, schema),
            CAVEATS: about,
            **keys.documents,
        },
        arrays={**to_arrays(block), **readings_to_arrays(block), **keys.arrays, **found_on},
    )


def _raised(
    engine: Engine, query: Query, noted: Noted, columns: ColumnMap, outcome: Outcome, schema: Schema, choice: Choice
) -> tuple[Caveats, dict[str, object], dict[str, dict[str, Ids]]]:
    """The caveats the query itself raised, what they reach, and the source rows they were raised on."""
    deep = list(deep_caveats(engine, query, noted, lineage=choice.mode != "off"))
    blocks = {each.number: to_arrays(each.rows) for each in deep if each.rows is not None}
    ids = dict(zip(schema.names, (column.id for column in query.columns), strict=True))
    about = document_of(noted.plan, columns, ids, noted.sites, query.read.fresh.limits)
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


def rewrite(noted: Noted, query: Query, schema: Schema, choice: Choice) -> _Rewritten:
    """The plan with ids first, then with marks: the id columns are never in doubt, but ghosts must stay out of them."""
    fresh = query.read.fresh
    fresh.limits = Limits(len(query.sources))
    fresh.only = frozenset(range(len(query.sources))) - choice.pruned.keys() if choice.pruned else None
    columns = column_map(noted.plan)
    fresh.shown_readings = shown_readings(columns, query.columns)
    traced, late = _traced(noted.step, query, choice, fresh)
    traced, windows = without_needless_memory(traced)
    marked = with_marks(traced.step, fresh)
    flagged = [position for position, column in enumerate(query.columns) if column.id in marked.cells]
    hidden = tuple(each for each in dict.fromkeys(columns_of(traced.key)) if each not in query.columns)
    layout = Layout(
        schema.names,
        tuple(flagged),
        has_row_marks=marked.row is not None,
        has_ghosts=marked.present is not None,
        id_columns=len(traced.carried) + len(hidden) + len(noted.raised),
    )
    beside = (*(each.column for each in traced.carried), *hidden, *(each.said for each in noted.raised))
    final = Project(marked.step, tuple(_outputs(query, marked, flagged, beside, fresh)))
    return _Rewritten(final, layout, traced.carried, marked.is_loose, columns, traced.key, hidden, late, windows)


def _traced(plan: Step, query: Query, choice: Choice, fresh: Fresh) -> tuple[Traced, tuple[Column, ...] | None]:
    """The plan with ids, or without them and with the columns by which its groups are known again later."""
    if choice.mode == "off":
        return Traced(plan, ()), None
    if choice.deferral is not None and choice.deferral.pairs(fresh) is not None:
        traced = choice.deferral.without_ids(plan, fresh)
        if isinstance(traced.key, Values) and set(traced.key.columns) <= set(query.columns):
            return traced, traced.key.columns
        fresh.limits = Limits(len(query.sources))
    return with_lineage(plan, fresh), None


def _outputs(
    query: Query, marked: Marked, flagged: list[int], beside: tuple[Column, ...], fresh: Fresh
) -> Iterator[Expr]:
    """In the order the layout promises. Every column is renamed, because a query may repeat a name or a column."""
    for column in query.columns:
        yield alias(ref(column), fresh.column("value", column.type, nullable=True))
    flags = [marked.cells[query.columns[position].id] for position in flagged]
    flags += [flag for flag in (marked.row, marked.present) if flag is not None]
    for column in (*flags, *beside):
        yield alias(ref(column), fresh.column("out", column.type, nullable=True))


def _coarse(store: Store, engine: Engine, query: Query, schema: Schema, run: Run, text: str) -> Draft:
    """No rule for some operator: every row may come from every row, and any doubt below may touch anything."""
    reason = query.read.reason
    parents = [store.by_id(source) for source in query.sources]
    doubtful = [parent for parent in parents if not engine.marks.doubt(parent).is_certain]
    marks = tuple(range(len(schema))) if doubtful else ()
    layout = Layout(schema.names, marks, has_row_marks=bool(doubtful), has_ghosts=False, id_columns=0)
    outcome = engine.run(engine.with_every_mark(query.frame, layout), layout, run.staging)
    strategy = f"coarse: {reason} has no lineage rule, so every row may come from every row of each input."
    uses: dict[str, Uses] = {name: frozenset() for name in schema.names}
    document = LineageDocument(query.sources, False, strategy, 0, uses, frozenset())
    caveats = [Caveat(f"Lineage is coarse here: {reason} has no rule.", "lineage")]
    caveats += [Caveat(f"Made from {parent.label}, which is in doubt, by {reason}.", "coarse") for parent in doubtful]
    doubt = Doubt(frozenset(schema.names), outcome.rows > 0, True) if doubtful else Doubt()
    documents = {NAME: document.to_json()}
    return Draft(schema, outcome.parts, text, _parents(query.sources), doubt, tuple(caveats), documents)


def _schema(query: Query) -> Schema:
    names = unique_names([without_marks(column.name) for column in query.columns])
    return Schema(tuple(Field(name, column.type) for name, column in zip(names, query.columns, strict=True)))


def _parents(sources: tuple[DatasetId, ...]) -> tuple[DatasetId, ...]:
    return tuple(dict.fromkeys(sources))


def _doubt(outcome: Outcome, is_loose: bool, schema: Schema) -> Doubt:
    columns = frozenset(schema.names[position] for position in outcome.marked_columns)
    return Doubt(columns, outcome.has_row_marks, is_loose or outcome.ghosts > 0)
