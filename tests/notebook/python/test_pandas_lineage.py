"""Lineage and marks of what Python cells make from pandas, against the fine print: identity by index, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib.util import find_spec

import pyarrow as pa
import pytest

import whence
from whence.model.cellref import CellRef

_ROWS = [(1, 2.5, "a", None), (2, None, "b", 7), (3, 4.0, "c", 8), (4, 1.5, "d", 9)]
_SCHEMA = "id int, price double, name string, n int"


@pytest.fixture
def parts(ws: whence.Workspace) -> whence.Dataset:
    return ws.create("parts", _ROWS, _SCHEMA, cell_caveats=[(2, "price", "guessed")])


def _refs(found: Sequence[CellRef]) -> set[tuple[str, int, str, str]]:
    return {(each.dataset, each.row, each.column, each.role) for each in found}


def test_a_surviving_index_keeps_rows_and_copies(ws: whence.Workspace, parts: whence.Dataset) -> None:
    ws.create("rates", [(1.5,)], "rate double")
    out = ws.run_cell(
        "python",
        source="df = ws['parts'].to_pandas()\nrate = ws['rates'].to_pandas().rate[0]\n"
        "df['euro'] = df.price * rate\ndf = df[df.id != 2].sort_values('id', ascending=False)\nws['out'] = df",
    )
    assert out.to_arrow().to_pylist() == [
        {"id": 4, "price": 1.5, "name": "d", "n": 9, "euro": 2.25},
        {"id": 3, "price": 4.0, "name": "c", "n": 8, "euro": 6.0},
        {"id": 1, "price": 2.5, "name": "a", "n": None, "euro": 3.75},
    ]
    assert [field.type for field in out.schema] == ["int", "double", "string", "int", "double"]
    assert out.lineage.exact is False
    assert out.lineage.strategy.startswith("inferred")
    assert [out.lineage.backward([row], to="parts").ids.tolist() for row in range(3)] == [[3], [2], [0]]
    assert parts.lineage.forward([2], to="out").ids.tolist() == [1]
    assert parts.lineage.forward([1], to="out").ids.tolist() == []
    assert out.lineage.backward([0], to="rates").ids.tolist() == [0]
    assert _refs(out.lineage.cell(1, "price")) == {("parts", 2, "price", "copied")}
    everything = {("parts", row, column, "computed") for row in range(4) for column in parts.columns}
    assert _refs(out.lineage.cell(1, "euro")) == everything | {("rates", 0, "rate", "computed")}
    keys = dict(enumerate(parts.row_keys()))
    assert out.row_keys() == [keys[3], keys[2], keys[0]]


def test_copies_carry_marks_and_the_rest_is_in_doubt(ws: whence.Workspace, parts: whence.Dataset) -> None:
    out = ws.run_cell(
        "python", source="df = ws['parts'].to_pandas()\ndf['twice'] = df.price * 2\nws['out'] = df[df.id > 1]"
    )
    marks = out.caveats.marks()
    assert marks.column("price").to_pylist() == [False, True, False]
    assert marks.column("name").to_pylist() == [False] * 3
    assert marks.column("twice").to_pylist() == [True] * 3
    assert marks.column("_row").to_pylist() == [True] * 3
    assert out.caveats.row_set is True
    assert "guessed" in {group.message for group in out.caveats.list(row=1, column="price")}
    behind = {group.family: group for group in out.caveats.list(row=0, column="twice")}
    assert set(behind) == {"coarse", "user"}
    assert behind["coarse"].count == 1
    out.caveats.acknowledge(behind["coarse"])
    now = ws["out"].caveats.marks()
    assert now.column("twice").to_pylist() == [False] * 3
    assert now.column("price").to_pylist() == [False, True, False]
    parts.caveats.acknowledge(parts.caveats.list()[0])
    assert ws["out"].caveats.marks().column("price").to_pylist() == [False] * 3


def test_acknowledging_the_cause_clears_all(ws: whence.Workspace, parts: whence.Dataset) -> None:
    out = ws.run_cell("python", source="df = ws['parts'].to_pandas()\ndf['x'] = 1\nws['out'] = df")
    parts.caveats.acknowledge(parts.caveats.list()[0])
    assert not any(any(column.to_pylist()) for column in out.caveats.marks().columns)
    assert out.caveats.row_set is False
    again = ws.run_cell("python", source="df = ws['parts'].to_pandas()\ndf['x'] = 1\nws['out'] = df")
    assert [group.family for group in again.caveats.list()] == ["lineage"]


_COARSE = [
    "ws['parts'].to_pandas().reset_index(drop=True)",
    "ws['parts'].to_pandas().groupby('name')[['price']].sum()",
    "ws['parts'].to_pandas().merge(ws['parts'].to_pandas(), on='id')[['id']]",
    "ws['parts'].to_arrow()",
    "ws['parts'].to_arrow().to_pylist()",
    "ws['parts'].to_pandas().set_index('id', drop=False)",
    "ws['parts'].to_pandas().rename_axis('parts@2 row')",
    "ws['parts'].to_pandas().describe()",
    *(["ws['parts'].to_polars()"] if find_spec("polars") else []),
]


def test_anything_else_is_coarse(ws: whence.Workspace, parts: whence.Dataset) -> None:
    ws.run_cell("python", source="\n".join(f"ws['out{n}'] = {made}" for n, made in enumerate(_COARSE)))
    for number, made in enumerate(_COARSE):
        out = ws[f"out{number}"]
        assert out.lineage.exact is False, made
        assert out.lineage.strategy.startswith("coarse: Python code"), made
        assert out.lineage.backward([0], to="parts").ids.tolist() == [0, 1, 2, 3], made
        assert all(all(column.to_pylist()) for column in out.caveats.marks().columns), made
        assert out.caveats.row_set is True, made
        assert {group.family for group in out.caveats.list()} == {"coarse", "lineage", "user"}, made
    assert ws["out1"].columns == ["name", "price"]  # what groups are called by is data
    assert ws["out7"].columns[0] == "index"


def test_data_from_nowhere_has_no_inputs(ws: whence.Workspace, parts: whence.Dataset) -> None:
    made = ws.run_cell("python", source="ws['new'] = [{'a': 1, 'b': 'x'}, {'a': None}]\nws['parts'].to_pandas()")
    assert made.to_arrow().to_pylist() == [{"a": 1, "b": "x"}, {"a": None, "b": None}]
    assert made.parents() == []
    assert made.caveats.list() == []


def test_values_pandas_bends_come_back_as_they_were(ws: whence.Workspace) -> None:
    odd = {
        "i": pa.array([1, None], pa.int64()),
        "d": pa.array([date(2020, 1, 2), None], pa.date32()),
        "t": pa.array([datetime(2020, 1, 2, 3, tzinfo=UTC), None], pa.timestamp("us", "UTC")),
        "c": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
        "b": pa.array([True, None]),
        "l": pa.array([[1, 2], None], pa.list_(pa.int32())),
        "s": pa.array([{"x": 1, "y": "z"}, None]),
        "f": pa.array([0.1, None], pa.float32()),
    }
    ws.create("odd", pa.table(odd))
    out = ws.run_cell("python", source="df = ws['odd'].to_pandas()\ndf['new'] = 1\nws['out'] = df[::-1]")
    assert out.to_arrow().drop_columns(["new"]).to_pylist() == ws["odd"].to_arrow().to_pylist()[::-1]
    assert [field.type for field in out.schema][:-1] == [field.type for field in ws["odd"].schema]


def test_a_dataset_under_another_name_keeps_exact_lineage(ws: whence.Workspace, parts: whence.Dataset) -> None:
    copy = ws.run_cell("python", source="ws['copy'] = ws['parts']")
    assert copy.lineage.exact is True
    assert copy.lineage.backward([2], to="parts").ids.tolist() == [2]
    assert copy.caveats.marks().column("price").to_pylist() == [False, False, True, False]


def test_what_sql_makes_of_a_python_result_is_traced_through_it(ws: whence.Workspace, parts: whence.Dataset) -> None:
    ws.run_cell("python", source="df = ws['parts'].to_pandas()\nws['big'] = df[df.id > 2]")
    total = ws.sql("select sum(id) s, max(price) m from big", name="total")
    assert total.lineage.backward([0], to="parts").ids.tolist() == [2, 3]
    assert ("parts", 2, "price", "aggregated") in _refs(total.lineage.cell(0, "m", to="parts"))
