"""Writes the report of a notebook, small enough to be sent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from whence.caveats.report_words import GIVEN, MOST_GUESSED
from whence.model.errors import UserError
from whence.store.durable import writing
from whence.store.report_secret import make_report_secret
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.most_guessed import most_guessed
from whence.workspace.notebook_cell import Cell
from whence.workspace.report.cell_facts import CellFacts
from whence.workspace.report.page import write_page
from whence.workspace.report.redaction import Redaction
from whence.workspace.report.sections import Section, read_sections
from whence.workspace.report.source_rows import SourceRows
from whence.workspace.report.table_facts import read_table

MOST_BYTES = 5_000_000
"""A report may be this large: mail takes it."""
FORM = 1
"""The form of the facts in a report, so that later versions can read it."""
_LIMITS = ((50, 100), (50, 20), (20, 20), (10, 5))
"""Rows of each table and source rows behind each value, tried in turn until the report is small enough."""


def write_report(context: Context, name: str, cells: Sequence[Cell], path: Path, hidden: Collection[str]) -> None:
    """Write the results of these cells as one HTML file."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"A report cannot be written as {path.name}.", "End its name in .html.")
    redaction = Redaction(hidden, make_report_secret(context.store.layout) if hidden else b"")
    sections = [part for cell in cells for part in read_sections(cell, hides_something=bool(redaction))]
    shown = [each.dataset for each in sections if each.dataset is not None]
    _check_names(redaction, shown, context)
    if not redaction:  # ends of ranges may tell of hidden values
        sections += _guessed(context, shown)
    page = _smallest_fitting(context, name, sections, redaction)
    with writing(path):
        path.write_text(page, encoding="utf-8", newline="\n")


def _guessed(context: Context, shown: Sequence[Dataset]) -> list[Section]:
    """The numbers that depend most on guesses, as the last part; none if no number has bounds."""
    items = "".join(f"<li>{escape(str(each))}</li>" for each in most_guessed(context, [each.record for each in shown]))
    return [Section(f"<h2>{MOST_GUESSED}</h2><p>{GIVEN}</p><ol>{items}</ol>")] if items else []


def columns_to_hide(context: Context, cells: Sequence[Cell]) -> list[tuple[str, str]]:
    """Return each column that a report of these cells may show, as dataset and column; those behind values as well."""
    sections = [part for cell in cells for part in read_sections(cell, hides_something=False)]
    return _columns(context, [each.dataset for each in sections if each.dataset is not None])


def _columns(context: Context, datasets: Sequence[Dataset]) -> list[tuple[str, str]]:
    ancestors = [record for each in datasets for record in context.readers.trace.ancestors(each.record)]
    records = [*(each.record for each in datasets), *ancestors]
    return list(dict.fromkeys((record.name, name) for record in records for name in record.schema.names))


def _check_names(redaction: Redaction, datasets: Sequence[Dataset], context: Context) -> None:
    """A name that nothing has is a mistake, and what it meant would be seen."""
    unknown = redaction.unknown(_columns(context, datasets))
    if unknown:
        raise UserError(f"There is no column {unknown[0]} in this notebook to hide.", "Check the name.")


def _smallest_fitting(context: Context, name: str, sections: Sequence[Section], redaction: Redaction) -> str:
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    for rows, rows_behind in _LIMITS:
        sources = SourceRows(context.store, redaction)
        facts = CellFacts(context, redaction, sources, rows_behind)
        tables = [read_table(each.dataset, rows, facts, redaction) for each in sections if each.dataset is not None]
        content = {"form": FORM, "notebook": name, "made": made, "tables": tables, "sources": sources.to_json()}
        content |= {"seal": redaction.seal} if redaction else {}
        page = write_page(name, made, sections, content)
        if len(page.encode()) <= MOST_BYTES:
            return page
    raise UserError(
        f"The report of {name} would be larger than {MOST_BYTES // 1_000_000} MB.",
        "Split the notebook, or leave out cells with large pictures.",
    )
