"""Makes a dataset from a query: its rows, their lineage and their marks, in one run of Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import cast

from whence.caveats.capture import ALWAYS, Capture
from whence.caveats.coarse import coarse_draft
from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import CaveatDocument
from whence.caveats.exact import exact_draft
from whence.caveats.raised import Noted, note
from whence.caveats.taken_over import known_again, taken_over, with_query
from whence.engine.engine import Engine, Query
from whence.engine.frames import Frame
from whence.engine.sql_functions import without_marks
from whence.lineage.document import NAME, LineageDocument
from whence.lineage.strategy import INJECT, Choice, Observed, choose
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Origin
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema, unique_names
from whence.plan.settled import settled
from whence.store.caveat_file import Caveats
from whence.store.draft import Draft
from whence.store.runs import Run
from whence.store.store import Store


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
        schema, inputs = _schema(query), engine.marks.states(query.parents)
        again = known_again(engine, query, text, capture) if origin in ("sql", "dataset") else ""
        taken = taken_over(store, engine, run, query, schema, text, again, capture) if capture.can_take_over else None
        if taken is not None:
            draft = taken
        elif plan is None:
            draft = coarse_draft(store, engine, query, schema, run, text)
        else:
            noted = note(settled(plan, query.read.ids), query.read.ids)
            choice = _chosen(engine, query, noted, capture, lambda: _observed(store, name, text))
            choice = replace(choice, pruned=_pruned(store, query, capture), most_bytes=capture.most_bytes)
            draft = with_query(exact_draft(store, engine, query, noted, schema, run, text, choice), again)
        documents = {**_over_marks(draft, inputs), **(documents or {})}
        caveats = Caveats.of([*draft.caveats, *said]) if said else draft.caveats
        record = store.publish(run, replace(draft, documents=documents, caveats=caveats))
    engine.remember(record.id, query)
    return record


@contextmanager
def _run(store: Store, origin: Origin, name: str) -> Iterator[Run]:
    run = store.begin(origin, name)
    try:
        yield run
    except BaseException as error:
        store.abandon(run, str(error) or type(error).__name__)
        raise


def _over_marks(draft: Draft, inputs: Mapping[DatasetId, str]) -> dict[str, object]:
    """The documents of a draft, with the marks that its inputs had."""
    if not inputs:
        return dict(draft.documents)
    content = cast("Mapping[str, object]", draft.documents.get(CAVEATS, CaveatDocument().to_json()))
    return {**draft.documents, CAVEATS: {**content, "inputs": dict(inputs)}}


def _schema(query: Query) -> Schema:
    names = unique_names([without_marks(column.name) for column in query.columns])
    return Schema(tuple(Field(name, column.type) for name, column in zip(names, query.columns, strict=True)))


def _chosen(
    engine: Engine, query: Query, noted: Noted, capture: Capture, observed: Callable[[], Observed | None]
) -> Choice:
    if noted.sites and capture.mode != "off":  # messages of caveats travel with the rows, and ids with them
        return Choice("inject", INJECT)
    constant = partial(engine.constant, query)
    return choose(noted.step, capture.mode, observed, constant, can_ask_again=capture.can_ask_again)


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
