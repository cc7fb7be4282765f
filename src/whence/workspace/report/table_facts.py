"""One table of a report: its rows as text, and the facts behind every cell."""

from __future__ import annotations

from whence.workspace.dataset import Dataset
from whence.workspace.report.cell_facts import CellFacts
from whence.workspace.report.redaction import Redaction
from whence.workspace.report.shown_value import HIDDEN, short_text, value_hash, value_text

Json = dict[str, object]


def read_table(dataset: Dataset, rows: int, facts: CellFacts, redaction: Redaction) -> Json:
    """Return the first rows of a dataset for a report. Hidden values have no hash: a short one could be guessed."""
    count = min(rows, dataset.count)
    keys = redaction.name_rows(dataset.row_keys(0, count))
    values, marks = dataset.rows(0, count).to_pylist(), _marks(dataset, count)
    return {
        "dataset": dataset.name,
        "version": dataset.version,
        "columns": dataset.columns,
        "numeric": [_is_numeric(field.type) for field in dataset.schema],
        "lines": dataset.source_lines(range(count)),
        "count": dataset.count,
        "keys": keys,
        "cells": [
            [
                facts.of(dataset, row, name, is_doubtful=marks[row][name] or marks[row]["_row"])
                | _value(dataset.name, keys[row], name, values[row][name], redaction)
                | ({"doubt": True} if marks[row][name] else {})
                for name in dataset.columns
            ]
            for row in range(count)
        ],
    }


def _is_numeric(type: str) -> bool:
    return type.startswith(("decimal", "tinyint", "smallint", "int", "bigint", "float", "double")) and "<" not in type


def _value(dataset: str, key: str, column: str, value: object, redaction: Redaction) -> Json:
    if redaction.hides(dataset, column):
        return {"text": HIDDEN}
    text, short = value_text(value), short_text(value)
    shown: Json = {"text": text, "hash": value_hash(key, column, value)}
    return shown if short == text else shown | {"short": short}


def _marks(dataset: Dataset, count: int) -> list[dict[str, bool]]:
    """Return the doubt flags of the first rows, the one of the whole row under the name `_row`."""
    table = dataset.caveats.marks(0, count)
    flags: list[dict[str, bool]] = table.rename_columns([*dataset.columns, "_row"]).to_pylist()
    return flags
