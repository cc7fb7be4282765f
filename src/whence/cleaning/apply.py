"""Runs a lens over a dataset and keeps the result as a dataset of its own."""

from __future__ import annotations

from collections.abc import Mapping

from whence.cleaning.lens import RID, Lens, LensInput
from whence.cleaning.lenses.registry import LENSES
from whence.cleaning.parameter import near_miss
from whence.cleaning.report import DOCUMENT, LensReport, lens_report, plain
from whence.cleaning.steps import query_text, with_guesses
from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset, UserError
from whence.store.store import Store


def apply_lens(
    context: DeriveContext, record: DatasetRecord, lens_name: str, name: str, values: Mapping[str, object]
) -> DatasetRecord:
    """The dataset as the lens of this name cleans it."""
    store, engine = context.store, context.engine
    lens = find_lens(lens_name)
    chosen = lens.choose(record.label, record.schema, values)
    with engine.numbered_view(record, RID) as view:
        cleaned = lens.clean(_given(store, engine, record, view, name), chosen)
        query = engine.read(engine.query(query_text(cleaned, view)))
    report = LensReport(
        lens.name,
        cleaned.sentence,
        {key: plain(value) for key, value in values.items()},
        {key: plain(value) for key, value in cleaned.learned.items()},
    )
    documents, guessing = {DOCUMENT: report.to_json()}, with_guesses(query, cleaned)
    request = Request(guessing, name, "lens", cleaned.sentence, documents=documents, caveats=cleaned.notes)
    return derive(context, request)


def find_lens(name: str) -> Lens:
    """The lens of this name, however its words are put together."""
    known = name.strip().lower().replace(" ", "_").replace("-", "_")
    if known not in LENSES:
        hint = near_miss(known, LENSES) or f"Lenses: {', '.join(LENSES)}."
        raise UserError(f"There is no lens {name}.", hint)
    return LENSES[known]


def _given(store: Store, engine: Engine, record: DatasetRecord, view: str, name: str) -> LensInput:
    return LensInput(
        record.label,
        view,
        record.schema,
        record.rows,
        record.doubt,
        lambda text: engine.to_arrow(engine.query(text)).to_pylist(),
        lambda count: store.read(record, 0, min(count, record.rows)).to_pylist(),
        lambda lens: _earlier(store, name, lens),
    )


def _earlier(store: Store, name: str, lens: str) -> Mapping[str, object] | None:
    """What a lens learned in the latest version of this name that it made."""
    try:
        versions = store.versions(name)
    except UnknownDataset:
        return None
    reports = (lens_report(store, record) for record in sorted(versions, key=lambda each: -each.version))
    return next((report.learned for report in reports if report is not None and report.lens == lens), None)
