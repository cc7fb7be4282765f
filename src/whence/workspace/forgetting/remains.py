"""Searches the database, manifests and documents for values that only the forgotten rows had."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pyarrow.compute as pc
from sqlalchemy import select

from whence.store import tables
from whence.store.layout import MANIFEST
from whence.store.records import all_versions
from whence.store.store import Store
from whence.workspace.forgetting.matching import MatchingRows

_SHORTEST = 4
"""Characters of a value that is searched for: a shorter one stands in other words by chance."""
_MOST = 1_000
"""Values that are searched for."""


def distinctive_values(store: Store, matching: Sequence[MatchingRows]) -> frozenset[str]:
    """Return texts that stand in rows that go, and in no row that stays."""
    found: dict[str, None] = {}
    for each in matching:
        for field in each.record.schema:
            if field.type == "string":
                found.update(dict.fromkeys(_only_in_rows(store, each, field.name)))
    return frozenset(list(found)[:_MOST])


def _only_in_rows(store: Store, matching: MatchingRows, column: str) -> Iterator[str]:
    record = matching.record
    going = pc.unique(store.take(record, matching.rows, [column]).column(0).combine_chunks())
    going = going.filter(pc.fill_null(pc.greater_equal(pc.utf8_length(going), _SHORTEST), False)).sort()

    def may_be(low: str, high: str) -> bool:
        return len(going) > 0 and low <= going[-1].as_py() and going[0].as_py() <= high

    for start, table in store.scan_where(record, column, may_be):
        if not len(going):
            return
        here = pc.is_in(table.column(0), value_set=going).to_numpy()
        here &= matching.stays[start : start + table.num_rows]
        if here.any():
            going = going.filter(pc.invert(pc.is_in(going, value_set=pc.unique(table.column(0).filter(here)))))
    yield from going.to_pylist()


def find_remains(store: Store, values: frozenset[str]) -> list[str]:
    """Return a sentence for each place that holds one of the values. It does not repeat the value."""
    needles = {form for value in values for form in (value, json.dumps(value)[1:-1])}
    if not needles:
        return []
    return list(dict.fromkeys([*_in_database(store, needles), *_in_documents(store, needles)]))


def _in_database(store: Store, needles: set[str]) -> Iterator[str]:
    with store.database.read() as connection:
        for table in tables.metadata.sorted_tables:
            for row in connection.execute(select(table)):
                text = json.dumps(row._asdict(), default=str, ensure_ascii=False)
                if any(needle in text for needle in needles):
                    yield _place(table.name, row._asdict())


def _in_documents(store: Store, needles: set[str]) -> Iterator[str]:
    with store.database.read() as connection:
        records = all_versions(connection)
    for record in records:
        for path in sorted(store.layout.dataset(record.id).glob("*.json")):
            text = path.read_text(encoding="utf-8")
            if any(needle in text for needle in needles):
                kind = "the text of the query" if path.name == MANIFEST else f"the document {path.stem}"
                yield f"{kind} of {record.label}."


def _place(table: str, row: dict[str, object]) -> str:
    match table:
        case "datasets":
            return f"the text of the query of {row['name']}@{row['version']}."
        case "cell_versions":
            return f"the text of a {row['kind']} cell of a notebook, and its history."
        case "notebook_versions":
            return "the history of edits of a notebook."
        case "acknowledgements":
            return f"the note of an acknowledged caveat of {row['name_key']}."
    return f"the table {table} of the database."
