"""Shows which rows of the sources a value was made from: file, line, values and caveats, as HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from whence.model.errors import WhenceError
from whence.model.plural import counted
from whence.workspace.dataset import Dataset
from whence.workspace.dataset_html import CellLooks, table_html
from whence.workspace.row_place import RowPlaces

MOST_ROWS = 5
"""The most rows of a source that are shown."""


def origin_html(dataset: Dataset, row: int, column: str | None = None) -> str:
    """Return the source rows behind a cell, with the cells that made it in bold; without a column, those behind a row.

    >>> orders = ws.create("orders", [("Oslo", 120), ("Oslo", 80)], schema="shop string, amount int")
    >>> totals = ws.sql("select shop, sum(amount) total from orders group by shop", name="totals")
    >>> found = origin_html(totals, 0, "total")
    >>> "orders@1: 2 rows" in found, found.count("font-weight: bold")
    (True, 4)
    """
    return "".join(_parts(dataset, row, column))


def _parts(dataset: Dataset, row: int, column: str | None) -> Iterator[str]:
    where = f"row {row}" if column is None else f"row {row}, {column} = {_value(dataset, row, column)}"
    yield _paragraph(f"{dataset.record.label}, {where}")
    for group in dataset.caveats.list(row, column):
        if not group.acknowledged:
            yield _paragraph(f"In doubt: {group.message}")
    if not dataset.lineage.exact:
        yield _paragraph(f"Lineage is not exact: {dataset.lineage.strategy}")
    if dataset.record.is_source:
        yield _rows_html(dataset, [row], 1, frozenset())
        return
    yield from _source_tables(dataset, row, column)


def _source_tables(dataset: Dataset, row: int, column: str | None) -> Iterator[str]:
    context, record = dataset.context, dataset.record
    behind = context.cell_traces.rows(record, row)
    cells = {} if column is None else context.readers.cells.at_each(record, row, column, behind)
    sources = [each for each in context.readers.trace.ancestors(record) if each.is_source and each.id in behind]
    for source in sources:
        if (found := behind[source.id]).count:
            shown: list[int] = found.page(0, MOST_ROWS).tolist()
            bold = {(rid, use.column) for use, rids in cells.get(source.id, {}).items() for rid in rids.tolist()}
            yield _rows_html(Dataset(context, source), shown, found.count, frozenset(bold))
    if not any(behind[source.id].count for source in sources):
        yield _paragraph("It was made from no rows of a source: only from values in the query.")


def _rows_html(source: Dataset, rids: list[int], count: int, bold: frozenset[tuple[int, str]]) -> str:
    """Return some rows of a source, each with the line of the file, or with its number where no line is known."""
    places = RowPlaces(source)
    numbers = {rid: number for number, rid in enumerate(rids)}
    behind = frozenset((numbers[rid], name) for rid, name in bold if rid in numbers)
    looks = CellLooks(
        marks=source.caveats.marks_of(rids),
        reasons=lambda number, name: source.caveats.list(rids[number], name),
        origin=lambda *_: "",
        behind=behind,
    )
    more = f", the first {len(rids)}" if count > len(rids) else ""
    file = f" of {places.file}" if places.file else ""
    heads = [places.words(rid) for rid in rids]
    title = f"{source.record.label}: {counted(count, 'row')}{more}{file}"
    return _paragraph(title) + table_html(source.take(rids), looks, heads)


def _value(dataset: Dataset, row: int, column: str) -> object:
    return dataset.take([row]).column(dataset.columns.index(column)).to_pylist()[0]


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def origin_or_reason(dataset: Dataset, row: int, column: str | None) -> str:
    """Return the origin, or a sentence that says why whence cannot tell: the workspace is closed, for example."""
    try:
        return origin_html(dataset, row, column)
    except WhenceError as error:
        return _paragraph(str(error))
