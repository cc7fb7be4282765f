"""Makes a version again over inputs without the forgotten rows, or says why that cannot be done."""

from __future__ import annotations

import pyarrow.compute as pc

from whence.checks.mark import own_checks
from whence.derive.derive import derive
from whence.derive.earlier_version import EarlierVersion
from whence.derive.request import Request
from whence.derive.state import Statement, state
from whence.engine.query import Query
from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.workspace.context import Context
from whence.workspace.expect import expect_dataset
from whence.workspace.forgetting.new_versions import NewVersions, same_rids
from whence.workspace.forgetting.remake_chart import chart_again, why_no_chart
from whence.workspace.forgetting.remake_pipeline import pipeline_again, why_no_pipeline
from whence.workspace.forgetting.remake_sheet import Going, sheet_again, why_no_sheet
from whence.workspace.restate import stated_caveats

_ELSE = {
    "dataset": "a DataFrame of a session made it",
    "python": "Python code made it",
    "operator": "an operator made it",
    "array": "it is an array",
}
"""Why versions of other origins cannot be made again."""


def why_not_again(context: Context, record: DatasetRecord, going: Going) -> str | None:
    """Return why a version cannot be made again from what is stored, or None if it can."""
    match record.origin:
        case "sql":
            return _why_no_query(context, record)
        case "lens" | "pipeline":
            return why_no_pipeline(context, record)
        case "chart":
            return why_no_chart(context, record)
        case "sheet":
            return why_no_sheet(context, record, going)
        case "caveat" | "expect":
            return None if len(record.parents) == 1 else "it was made from other versions than its own"
    return _ELSE.get(record.origin, "nothing stored says how it was made")


def make_again(context: Context, record: DatasetRecord, new: NewVersions) -> tuple[DatasetRecord, Ids | None]:
    """Make a version over the new versions of its inputs. Return it, and the new id of each old row if it is known."""
    match record.origin:
        case "sql":
            moved = {each: rids for each, rids in new.rids.items() if _keeps_marks(context, context.store.by_id(each))}
            before = context.engine.recall_written(record.id)
            over_new = None if before is None else context.engine.over_versions(before, new.records)
            earlier = EarlierVersion(record, context.readers.edges, moved, over_new)

            def read() -> Query:
                return _query(context, record, new)

            request = Request(read, record.name, "sql", record.text, is_rerunnable=True, earlier=earlier)
            return derive(context.derive, request), earlier.rids
        case "lens" | "pipeline":
            return pipeline_again(context, record, new), None
        case "chart":
            return chart_again(context, record, new), None
        case "sheet":
            return sheet_again(context, record, new), None
        case "expect":
            return _check(context, record, new), same_rids(context, record, new.rids)
    return _state(context, record, new), same_rids(context, record, new.rids)


def _keeps_marks(context: Context, record: DatasetRecord) -> bool:
    """Whether rows that stay have the marks they had. A check may find fault with a row because of one that goes."""
    if record.origin == "caveat":
        return _keeps_marks(context, context.store.by_id(record.parents[0]))
    return record.origin != "expect"


def _why_no_query(context: Context, record: DatasetRecord) -> str | None:
    names = [context.store.by_id(parent).name.lower() for parent in record.parents]
    if len(set(names)) < len(names):
        return "it reads two versions of one name"
    query = context.engine.recall_written(record.id)
    try:
        query = query or _query(context, record, NewVersions({}, {}))
    except WhenceError:
        return "its query has parameters or functions that are not stored"
    context.engine.remember_written(record.id, query)
    if set(query.sources) != set(record.parents):
        return "its query reads other versions now"
    if not context.engine.can_stand_for_another_run(query):
        return "its query gives other values each time"
    return None


def _query(context: Context, record: DatasetRecord, new: NewVersions) -> Query:
    parents = [context.store.by_id(parent) for parent in record.parents]
    engine = context.engine
    return engine.read(engine.sql(record.text, {parent.name: new.of(parent) for parent in parents}))


def _check(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    base = new.of(context.store.by_id(record.parents[0]))
    report = expect_dataset(context, base, own_checks(context.store, record), record.name, stop=False)
    return report.dataset if report.dataset.id != base.id else _copy(context, base, record, record.text)


def _state(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    """State the caveat of a version about the new version below it, on the rows that stay."""
    base = new.of(context.store.by_id(record.parents[0]))
    rids = same_rids(context, record, new.rids)
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
