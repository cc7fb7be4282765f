"""Put a note on cells, rows or columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from whence.model.caveat import Caveat
from whence.model.errors import UnknownRow, UserError
from whence.model.parameter import Parameter, find_column
from whence.transformations.applied import Applied, Guess
from whence.transformations.chosen import Chosen
from whence.transformations.given import RID, Given
from whence.transformations.sql import lookup, text
from whence.transformations.transformation import Transformation

_FAMILY = "comment"


@dataclass(frozen=True)
class _Note:
    text: str
    column: str | None
    row: int | None
    where: str | None


class Comment(Transformation):
    """The data stays as it is; what you remark on is in doubt, and your remark says why."""

    name = "comment"
    title = "Comment"
    group = "Clean"
    core = "identity"
    provenance = "every cell is itself"
    guesses = "what the comment is on: a cell, a row, a column, or all rows that meet a condition"
    parameters = (
        Parameter("text", "text", "the comment"),
        Parameter("row", "number", "the row it is on, from 0"),
        Parameter("column", "column", "the column it is on"),
        Parameter("where", "text", "a SQL condition for the rows it is on"),
        Parameter("comments", "entries", "several comments, each with text and row, column or where"),
    )
    example = {"column": "price", "where": "price > 1000", "text": "probably in cents"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        entries = [*chosen.entries("comments"), *([_single(chosen)] if chosen.has("text") else [])]
        if not entries:
            raise UserError("comment needs text: the comment.")
        notes = [_note(given, entry) for entry in entries]
        on_columns = [each for each in notes if each.row is None and each.where is None]
        return Applied(
            f"Comments were put on the data: {len(notes)}.",
            given.outputs(),
            (),
            (
                *_on_rows(given, notes),
                *_on_conditions(notes),
                *(Guess(each.column, _FAMILY, "true", None) for each in on_columns),
            ),
            notes=tuple(Caveat(each.text, _FAMILY, column=each.column) for each in on_columns),
        )


def _single(chosen: Chosen) -> Mapping[str, object]:
    column = chosen.column("column").name if chosen.has("column") else None
    return {"text": chosen.text("text"), "row": chosen.value("row"), "column": column, "where": chosen.maybe("where")}


def _note(given: Given, entry: Mapping[str, object]) -> _Note:
    said, column, row, where = (entry.get(key) for key in ("text", "column", "row", "where"))
    if not isinstance(said, str) or not said:
        raise UserError("Each comment needs text: the comment.")
    if column is None and row is None and where is None:
        raise UserError("A comment needs row, column or where: what it is on.")
    if row is not None and (isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < given.rows):
        raise UnknownRow(f"{given.label} has no row {row}.", f"It has {given.rows} rows.")
    if row is not None and where is not None:
        raise UserError("A comment is on a row or on the rows that meet a condition, not both.")
    if where is not None:
        given.expression(str(where), "a comment")
    name = None if column is None else find_column(given.label, given.schema, column).name
    return _Note(said, name, row, None if where is None else str(where))


def _on_rows(given: Given, notes: list[_Note]) -> list[Guess]:
    """One guess for each column, however many rows have a comment there."""
    texts: dict[str | None, dict[str, str]] = defaultdict(dict)
    for note in notes:
        if note.row is not None:
            rid = str(given.rid_at(note.row))
            said = texts[note.column].get(rid)
            texts[note.column][rid] = note.text if said is None else f"{said} {note.text}"
    found = {column: lookup(f"cast({RID} as string)", entries) for column, entries in texts.items()}
    return [Guess(column, _FAMILY, f"{sql} is not null", sql) for column, sql in found.items()]


def _on_conditions(notes: list[_Note]) -> list[Guess]:
    return [Guess(note.column, _FAMILY, f"({note.where})", text(note.text)) for note in notes if note.where is not None]
