"""Datasets made of columns in memory, as plain Python reads the same columns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import whence


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[whence.Workspace]:
    """A workspace that never starts Spark."""
    with whence.open(tmp_path / "columns.whence") as workspace:
        yield workspace
        assert not workspace.is_engine_running


def as_rows(columns: dict[Any, Any]) -> list[dict[str, object]]:
    names = [str(name) for name in columns]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize(
    "columns",
    [
        {"a": [1, 2], "b": [3, 4]},
        {"a": (1, None), "b": ["x", None], "c": [date(2026, 1, 2), None], 3: [[1], []]},
        {"a": [], "b": []},
        {
            "a": np.array([1.5, 2.5]),
            "b": pd.Series(["x", "y"]),
            "c": pa.array([1, 2]),
            "d": pa.chunked_array([[1], [2]]),
        },
    ],
)
def test_columns_are_rows_in_their_order(quiet: whence.Workspace, columns: dict[Any, Any]) -> None:
    made = quiet.create("t", columns)
    plain = {name: values.tolist() if hasattr(values, "tolist") else values for name, values in columns.items()}
    assert made.columns == [str(name) for name in columns]
    assert made.to_arrow().to_pylist() == as_rows({n: pa.array(v).to_pylist() for n, v in plain.items()})


def test_columns_of_a_schema_are_what_the_same_rows_are(quiet: whence.Workspace) -> None:
    columns: dict[str, Any] = {"b": pa.array([3, 4]), "a": np.array([1, 2])}
    schema = "a int, b double"
    doubt: dict[str, Any] = {"cell_caveats": [(1, "a", "smudged")], "row_caveats": [(0, "twice")]}
    made = quiet.create("t", columns, schema=schema, **doubt)
    rows = quiet.create("u", [(1, 3.0), (2, 4.0)], schema=schema, **doubt)
    assert made.to_arrow().equals(rows.to_arrow())
    assert made.caveats.marks().equals(rows.caveats.marks())
    assert list(made.row_keys()) == list(rows.row_keys())


@pytest.mark.parametrize(
    ("columns", "schema", "sentence"),
    [
        ({"a": [1, 2], "b": [3]}, None, "a has 2, b has 1"),
        ({"a": 1, "b": [3]}, None, "Column a is a int"),
        ({"a": "xy", "b": [3, 4]}, None, "Column a is a str"),
        ({"a": [1, "x"]}, None, "Column a does not hold values of one type"),
        ({"a": ["x"]}, "a int", "Column a does not hold int32"),
        ({"a": pa.array(["x"])}, "a int", "Column a does not hold int32"),
        ({"a": np.zeros((2, 2))}, None, "Column a does not hold"),
        ({"a": [1]}, "a int, b int", "The columns are a, but the schema has a, b"),
        ({}, None, "needs a column"),
    ],
)
def test_columns_that_are_no_table_are_refused(
    quiet: whence.Workspace, columns: dict[str, Any], schema: str | None, sentence: str
) -> None:
    with pytest.raises(whence.WhenceError, match=sentence):
        quiet.create("t", columns, schema=schema)


def test_texts_keep_their_collation(ws: whence.Workspace) -> None:
    """As they do in a dataset that a query made."""
    rows, ddl = [("Ab", 1), ("AB", 2), ("b", 3), (None, 4)], "c string collate utf8_lcase, n int"
    of_rows = ws.create("of_rows", rows, schema=ddl, cell_caveats=[(2, "n", "unsure")])
    of_frame = ws.create("of_frame", ws.spark.createDataFrame(rows, ddl))
    of_query = ws.sql("select c, n from (select c collate utf8_lcase as c, n from of_rows)", name="of_query")
    for dataset in (of_rows, of_frame, of_query):
        assert dataset.schema.fields[0].type == "string collate UTF8_LCASE"
        groups = ws.sql(f"select count(*) as n from {dataset.name} where c is not null group by c order by n")
        assert [row["n"] for row in groups.to_arrow().to_pylist()] == [1, 2]
        assert groups.lineage.backward([1], to=dataset.name).ids.tolist() == [0, 1]
