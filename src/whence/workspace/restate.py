"""Carries caveats that users stated over to a reloaded version, to the rows with the same keys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.file_lines import STATING
from whence.checks.foreign_check import ForeignCheck
from whence.checks.mark import foreign_failures, own_checks
from whence.derive.state import Statement, Where, state, stated_range
from whence.lineage.block import Ids
from whence.loading.report import LoadReport, load_report
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.store import Store
from whence.workspace.adopted_names import DOCUMENT
from whence.workspace.context import Context
from whence.workspace.expect import expect_dataset

Said = tuple[Where, str | None, str]


def find_load_report(store: Store, record: DatasetRecord) -> LoadReport:
    """Return how a version was loaded, looking below versions that only state caveats about it."""
    loaded = record
    while loaded.origin in STATING:
        loaded = store.by_id(loaded.parents[0])
    report = load_report(store, loaded)
    if store.document(loaded, DOCUMENT) is not None:
        raise UserError(f"{record.label} was read by a program, which alone knows how.", "Run the program again.")
    if report is None:
        raise UserError(f"{record.label} was not loaded from a file, so it cannot be loaded again.")
    return report


def restate(context: Context, before: DatasetRecord, after: DatasetRecord) -> DatasetRecord:
    """State the caveats of the version before about the reloaded one. Caveats of rows that are gone are dropped.

    Checks are made anew, over the rows that are there now; those that only pandera can run are stated again.
    """
    stating = []
    while before.origin in STATING:
        stating.append(before)
        before = context.store.by_id(before.parents[0])
    for version in reversed(stating):  # oldest first, as the users stated them
        if version.origin == "expect":
            checks = [each for each in own_checks(context.store, version) if not isinstance(each, ForeignCheck)]
            if checks:  # the rows are loaded already, so an error marks them and cannot stop
                after = expect_dataset(context, after, checks, stop=False, marks_errors=True).dataset
            said = _caveats_of_foreign_checks(context, version, after)
        else:
            said = stated_caveats(context, version, after)
        stated = stated_range(context.store, version)
        for where, column, message in said:
            after = state(context.derive, Statement(after, where, column, message, stated))
    return after


def _caveats_of_foreign_checks(context: Context, version: DatasetRecord, after: DatasetRecord) -> Iterator[Said]:
    """Yield the caveats of checks that cannot be made anew, with the row ids of the new version."""
    for check, rows in foreign_failures(context.store, version):
        message = f"The check {check.name} failed before the reload."
        if not len(rows):
            yield None, None, message
            continue
        if found := _rows_of_same_keys(context, version, after, rows):
            marked = [each for each in check.columns if after.schema.position(each) is not None]
            yield from ((found, column, message) for column in (marked if check.columns else [None]))


def stated_caveats(context: Context, version: DatasetRecord, after: DatasetRecord) -> Iterator[Said]:
    """Yield the caveats that a version states, with the row ids of the new version, found by their keys."""
    table = context.store.caveat_table(version)
    if pc.all(pc.is_null(table["row"])).as_py():
        yield from ((None, column, message) for column, message in _distinct(table))
        return
    for column, message in _distinct(table):
        rows = table.filter(pc.equal(table["message"], message))["row"].to_numpy()
        found = _rows_of_same_keys(context, version, after, rows)
        if found and (column is None or after.schema.position(column) is not None):
            yield found, column, message


def _rows_of_same_keys(context: Context, version: DatasetRecord, after: DatasetRecord, rows: Ids) -> list[int]:
    """Return the ids of the rows of the new version with the keys of these rows."""
    # A row key is two 64-bit numbers. As one 16-byte value it can be looked up by `isin`.
    old, new = (
        np.ascontiguousarray(context.readers.keys.of(each)).view("V16").reshape(-1) for each in (version, after)
    )
    return np.flatnonzero(np.isin(new, old[rows])).tolist()


def _distinct(table: pa.Table) -> list[tuple[str | None, str]]:
    rows = table.select(["column", "message"]).to_pylist()
    return list(dict.fromkeys((row["column"], row["message"]) for row in rows))
