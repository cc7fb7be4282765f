"""Asks every transformation whether it would help a dataset, from its profile and a look at its first rows."""

from __future__ import annotations

from whence.model.dataset import DatasetRecord
from whence.store.store import Store
from whence.transformations.suggestion import ColumnLook, Suggestion, TableLook
from whence.transformations.vocabulary.registry import TRANSFORMATIONS

_LOOKED_AT = 2_000
"""Rows from the top that suggestions look at; profiles cover all rows."""


def suggest_lenses(store: Store, record: DatasetRecord) -> list[Suggestion]:
    """Return suggestions in the order of the vocabulary: first for the table, then column by column."""
    if not record.rows:
        return []
    head = store.read(record, 0, min(_LOOKED_AT, record.rows))
    rows = [tuple(row.values()) for row in head.to_pylist()]
    table = TableLook(record.schema, rows)
    found = [each for known in TRANSFORMATIONS.values() for each in known.suggest_for_table(table)]
    if any(TRANSFORMATIONS[each.lens].names_columns for each in found):
        return found[:1]  # nothing that stands in the columns can be judged before they have their names
    for position, column in enumerate(record.schema):
        texts = [value for row in rows if isinstance(value := row[position], str) and value.strip()]
        look = ColumnLook(column, store.profiles.profile(record, column.name), texts)
        found += [each for known in TRANSFORMATIONS.values() for each in known.suggest_for_column(look)]
    return found
