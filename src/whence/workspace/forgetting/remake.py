"""Makes a version again over inputs without the forgotten rows, or says why that cannot be done."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc

from whence.checks.mark import own_checks
from whence.derive.derive import derive
from whence.derive.request import Request
from whence.derive.state import Statement, state
from whence.engine.query import Query
from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.pipeline.apply import Caller, apply_transformation, find_transformation
from whence.pipeline.document import DOCUMENT as PIPELINE
from whence.workspace.context import Context
from whence.workspace.expect import expect_dataset
from whence.workspace.references import version_of
from whence.workspace.restate import stated_caveats

_ELSE = {
    "chart": "a chart is drawn again from its dataset",
    "dataset": "a DataFrame of a session made it",
    "python": "Python code made it",
    "sheet": "edits on a sheet made it",
    "operator": "an operator made it",
    "array": "it is an array",
}
"""Why versions of other origins cannot be made again."""


@dataclass(frozen=True)
class NewVersions:
    """The versions that take the place of others so far, and the new row ids of those whose rows were cut."""

    records: Mapping[DatasetId, DatasetRecord]
    rids: Mapping[DatasetId, Ids]

    def of(self, record: DatasetRecord) -> DatasetRecord:
        """Return the version that takes the place of another, or the same if it stays."""
        return self.records.get(record.id, record)


def why_not_again(context: Context, record: DatasetRecord) -> str | None:
    """Return why a version cannot be made again from what is stored, or None if it can."""
    match record.origin:
        case "sql":
            return _why_no_query(context, record)
        case "lens" | "pipeline":
            return None if _call(context, record) is not None else "its steps cannot be planned again"
        case "caveat" | "expect":
            return None if len(record.parents) == 1 else "it was made from other versions than its own"
    return _ELSE.get(record.origin, "nothing stored says how it was made")


def make_again(context: Context, record: DatasetRecord, new: NewVersions) -> tuple[DatasetRecord, Ids | None]:
    """Make a version over the new versions of its inputs. Return it, and the new id of each old row if it is known."""
    match record.origin:
        case "sql":
            query = _query(context, record, new)
            request = Request(query, record.name, "sql", record.text, is_rerunnable=True)
            return derive(context.derive, request), None
        case "lens" | "pipeline":
            return _transform(context, record, new), None
        case "expect":
            return _check(context, record, new), _same_rids(context, record, new)
    return _state(context, record, new), _same_rids(context, record, new)


def _why_no_query(context: Context, record: DatasetRecord) -> str | None:
    names = [context.store.by_id(parent).name.lower() for parent in record.parents]
    if len(set(names)) < len(names):
        return "it reads two versions of one name"
    try:
        query = _query(context, record, NewVersions({}, {}))
    except WhenceError:
        return "its query has parameters or functions that are not stored"
    if set(query.sources) != set(record.parents):
        return "its query reads other versions now"
    if not context.engine.can_stand_for_another_run(query):
        return "its query gives other values each time"
    return None


def _query(context: Context, record: DatasetRecord, new: NewVersions) -> Query:
    parents = [context.store.by_id(parent) for parent in record.parents]
    engine = context.engine
    return engine.read(engine.sql(record.text, {parent.name: new.of(parent) for parent in parents}))


@dataclass(frozen=True)
class _Call:
    """The call of one transformation, as it was stored with its result."""

    transformation: str
    values: Mapping[str, object]
    line: str


def _call(context: Context, record: DatasetRecord) -> _Call | None:
    """Return the call that made a version; None if several steps did, or if one learned from an earlier version."""
    document: dict[str, Any] = context.store.document(record, PIPELINE) or {"segments": []}
    steps = [step for each in document["segments"] for step in (*each["steps"], each["closing"]) if step is not None]
    if len(steps) != 1:
        return None
    try:
        found = find_transformation(steps[0]["kind"])
        call = ast.parse(steps[0]["code"], mode="eval").body
        assert isinstance(call, ast.Call)
        values = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (WhenceError, SyntaxError, ValueError, AssertionError):
        return None
    learns = any(parameter.name == "learn_again" for parameter in found.parameters)
    return None if learns else _Call(found.name, values, steps[0]["line"])


def _transform(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    call, store = _call(context, record), context.store
    assert call is not None
    document: dict[str, Any] = store.document(record, PIPELINE) or {}
    base = store.by_id(DatasetId(document["input"]))
    caller = Caller(context.derive, record.name, lambda each: new.of(version_of(store, each)), record.origin, call.line)
    transformation = find_transformation(call.transformation)
    return apply_transformation(caller, new.of(base), transformation, call.values).result()


def _check(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    base = new.of(context.store.by_id(record.parents[0]))
    report = expect_dataset(context, base, own_checks(context.store, record), record.name, stop=False)
    return report.dataset if report.dataset.id != base.id else _copy(context, base, record, record.text)


def _state(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    """State the caveat of a version about the new version below it, on the rows that stay."""
    base = new.of(context.store.by_id(record.parents[0]))
    rids = _same_rids(context, record, new)
    # Row ids tell rows apart that share a declared key.
    said = list(stated_caveats(context, record, base) if rids is None else _moved_caveats(context, record, rids))
    if not said:
        return _copy(context, base, record, "caveat: (about rows that were forgotten)")
    where, column, message = said[0]
    return state(context.derive, Statement(base, where, column, message), record.name)


def _moved_caveats(
    context: Context, record: DatasetRecord, rids: Ids
) -> list[tuple[list[int] | None, str | None, str]]:
    table = context.store.caveat_table(record)
    if pc.all(pc.is_null(table["row"])).as_py():
        return [(None, each["column"], each["message"]) for each in table.slice(0, 1).to_pylist()]
    rows = rids[table["row"].to_numpy()]
    first = table.slice(0, 1).to_pylist()[0]
    kept = sorted({int(row) for row in rows if row >= 0})
    return [(kept, first["column"], first["message"])] if kept else []


def _copy(context: Context, base: DatasetRecord, record: DatasetRecord, text: str) -> DatasetRecord:
    """Return a version with the rows of its input and no doubt of its own."""
    return derive(context.derive, Request(context.engine.frame(base), record.name, record.origin, text))


def _same_rids(context: Context, record: DatasetRecord, new: NewVersions) -> Ids | None:
    """Return the new row ids of a version that has the rows of its input; None if those of the input are not known."""
    below = new.rids.get(record.parents[0])
    if below is None:
        return None
    every = np.arange(record.rows, dtype=np.int64)
    lengths, rows = context.readers.edges.lookup_each(record, 0, every, backward=True)
    return below[rows] if bool((lengths == 1).all()) else None
