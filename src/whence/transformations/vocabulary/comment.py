"""Put a note on cells, rows or columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from whence.model.caveat import Caveat
from whence.model.errors import UnknownRow, UserError
from whence.model.parameter import Parameter, find_column
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import RID, InputTable
from whence.transformations.plan import Guess, TransformationPlan
from whence.transformations.sql import lookup, text
from whence.transformations.transformation import Transformation

_FAMILY = "comment"


@dataclass(frozen=True)
class _Note:
    text: str
    column: str | None
    row: int | None
    where: str | None


_PARTS = (
    Parameter("text", "text", "the comment"),
    Parameter("row", "whole", "the row it is on, from 0", least=0),
    Parameter("column", "column", "the column it is on"),
    Parameter("where", "condition", "a SQL condition for the rows it is on"),
)


class Comment(Transformation):
    """Leave the data as it is and put a remark on cells, rows or columns, which are in doubt from then on."""

    name = "comment"
    title = "Comment"
    group = "Clean"
    pattern = "identity"
    provenance = "every cell is itself"
    guesses = "what the comment is on: a cell, a row, a column, or all rows that meet a condition"
    parameters = (
        *_PARTS,
        Parameter("comments", "entries", "several comments, each with text and row, column or where", fields=_PARTS),
    )
    example = {"column": "price", "where": "price > 1000", "text": "probably in cents"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        entries = [*arguments.entries("comments"), *([_single(arguments)] if arguments.has("text") else [])]
        if not entries:
            raise UserError("comment needs text: the comment.")
        notes = [_note(table, entry) for entry in entries]
        on_columns = [each for each in notes if each.row is None and each.where is None]
        return TransformationPlan(
            f"Comments were put on the data: {len(notes)}.",
            table.outputs(),
            (),
            (
                *_on_rows(table, notes),
                *_on_conditions(notes),
                *(Guess(each.column, _FAMILY, "true", None) for each in on_columns),
            ),
            notes=tuple(Caveat(each.text, _FAMILY, column=each.column) for each in on_columns),
        )


def _single(arguments: Arguments) -> Mapping[str, object]:
    column = arguments.column("column").name if arguments.has("column") else None
    return {
        "text": arguments.text("text"),
        "row": arguments.value("row"),
        "column": column,
        "where": arguments.maybe("where"),
    }


def _note(table: InputTable, entry: Mapping[str, object]) -> _Note:
    remark, column, row, where = (entry.get(key) for key in ("text", "column", "row", "where"))
    if not isinstance(remark, str) or not remark:
        raise UserError("Each comment needs text: the comment.")
    if column is None and row is None and where is None:
        raise UserError("A comment needs row, column or where: what it is on.")
    if row is not None and (isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < table.rows):
        raise UnknownRow(f"{table.label} has no row {row}.", f"It has {table.rows} rows.")
    if row is not None and where is not None:
        raise UserError("A comment is on a row or on the rows that meet a condition, not both.")
    if where is not None:
        table.expression(str(where), "a comment")
    name = None if column is None else find_column(table.label, table.schema, column).name
    return _Note(remark, name, row, None if where is None else str(where))


def _on_rows(table: InputTable, notes: list[_Note]) -> list[Guess]:
    """Return one guess for each column, however many rows have a comment there."""
    texts: dict[str | None, dict[str, str]] = defaultdict(dict)
    for note in notes:
        if note.row is not None:
            rid = str(table.rid_at(note.row))
            # Several comments on one cell become one caveat.
            earlier = texts[note.column].get(rid)
            texts[note.column][rid] = note.text if earlier is None else f"{earlier} {note.text}"
    found = {column: lookup(f"cast({RID} as string)", entries) for column, entries in texts.items()}
    return [Guess(column, _FAMILY, f"{sql} is not null", sql) for column, sql in found.items()]


def _on_conditions(notes: list[_Note]) -> list[Guess]:
    return [Guess(note.column, _FAMILY, f"({note.where})", text(note.text)) for note in notes if note.where is not None]
