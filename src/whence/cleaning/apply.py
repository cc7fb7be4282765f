"""Runs a lens over a dataset and keeps the result as a dataset of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from whence.caveats.derive import derive_query
from whence.cleaning.lens import Cleaned, Lens, LensInput
from whence.cleaning.lenses.registry import LENSES
from whence.engine.engine import Engine, Query
from whence.model.dataset import DatasetRecord
from whence.model.errors import InternalError, UserError
from whence.store.store import Store


def apply_lens(
    store: Store, engine: Engine, record: DatasetRecord, lens_name: str, name: str, values: Mapping[str, object]
) -> DatasetRecord:
    """The dataset as the lens of this name cleans it."""
    lens = find_lens(lens_name)
    lens.check(values)
    query = engine.read(engine.frame(record))
    cleaned = _clean(lens, engine, record, query, values)
    over = replace(query, read=replace(query.read, plan=cleaned.plan), columns=cleaned.plan.columns)
    return derive_query(store, engine, over, name, "lens", cleaned.sentence)


def find_lens(name: str) -> Lens:
    """The lens of this name."""
    if name not in LENSES:
        raise UserError(f"There is no lens {name}.", f"Lenses: {', '.join(sorted(LENSES))}.")
    return LENSES[name]


def _clean(lens: Lens, engine: Engine, record: DatasetRecord, query: Query, values: Mapping[str, object]) -> Cleaned:
    if query.read.plan is None:
        raise InternalError(f"The scan of {record.label} could not be read: {query.read.reason}.")
    given = LensInput(
        record.label, query.read.plan, lambda expression: engine.statistic(record, expression), query.read.fresh
    )
    return lens.clean(given, values)
