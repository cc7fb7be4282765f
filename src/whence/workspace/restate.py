"""Carries caveats that users stated over to a reloaded version, to the rows with the same keys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.derive.state import Statement, Where, state
from whence.loading.report import LoadReport, load_report
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.store import Store
from whence.workspace.context import Context

Said = tuple[Where, str | None, str]


def find_load_report(store: Store, record: DatasetRecord) -> LoadReport:
    """Return how a version was loaded, looking below versions that only state caveats about it."""
    loaded = record
    while loaded.origin == "caveat":
        loaded = store.by_id(loaded.parents[0])
    report = load_report(store, loaded)
    if report is None:
        raise UserError(f"{record.label} was not loaded from a file, so it cannot be loaded again.")
    return report


def restate(context: Context, before: DatasetRecord, after: DatasetRecord) -> DatasetRecord:
    """State the caveats of the version before about the reloaded one. Caveats of rows that are gone are dropped."""
    stating = []
    while before.origin == "caveat":
        stating.append(before)
        before = context.store.by_id(before.parents[0])
    for version in reversed(stating):  # oldest first, as the users stated them
        for where, column, message in _stated_caveats(context, version, after):
            after = state(context.derive, Statement(after, where, column, message))
    return after


def _stated_caveats(context: Context, version: DatasetRecord, after: DatasetRecord) -> Iterator[Said]:
    """Yield the caveats that a version states, with the row ids of the new version."""
    table = context.store.caveat_table(version)
    if pc.all(pc.is_null(table["row"])).as_py():
        yield from ((None, column, message) for column, message in _distinct(table))
        return
    # A row key is two 64-bit numbers. As one 16-byte value it can be looked up by `isin`.
    old, new = (
        np.ascontiguousarray(context.readers.keys.of(each)).view("V16").reshape(-1) for each in (version, after)
    )
    for column, message in _distinct(table):
        rows = table.filter(pc.equal(table["message"], message))["row"].to_numpy()
        found = np.flatnonzero(np.isin(new, old[rows])).tolist()
        if found and (column is None or after.schema.position(column) is not None):
            yield found, column, message


def _distinct(table: pa.Table) -> list[tuple[str | None, str]]:
    rows = table.select(["column", "message"]).to_pylist()
    return list(dict.fromkeys((row["column"], row["message"]) for row in rows))
