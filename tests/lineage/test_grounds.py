"""Which cells stand on data, and which are constants of a query."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random

import pytest

import whence
from tests.lineage.grounds_queries import (
    GOALS,
    GOALS_SCHEMA,
    HONEST,
    ORDERS,
    ORDERS_SCHEMA,
    PARENTS,
    POISONED,
    Answer,
)
from whence.cli.printing import trace_lines

_SIGNS = {"data": ".", "partly": "p", "written": "w"}


@pytest.mark.parametrize("part", [pytest.param(5, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
def test_no_written_value_is_missed_and_no_honest_query_is_marked(ws: whence.Workspace, part: int) -> None:
    ws.create("orders", ORDERS, schema=ORDERS_SCHEMA)
    ws.create("goals", GOALS, schema=GOALS_SCHEMA)
    for name, query in PARENTS.items():
        ws.sql(query, name=name)
    every: dict[str, tuple[str, Answer]] = {**POISONED, **{name: (query, {}) for name, query in HONEST.items()}}
    asked = dict(list(every.items())[::part])
    found = {name: _signs(ws.sql(query, name="result")) for name, (query, _) in asked.items()}
    assert {name: answer for name, answer in found.items() if answer != asked[name][1]} == {}


def test_there_are_enough_queries() -> None:
    assert min(len(POISONED), len(HONEST)) >= 60


_ROWS = 6
_CONDITIONS = ("c > 2", "c = 4", "c % 2 = 0", "k = 'a'")


def _expression(random: Random, depth: int) -> str:
    """A random expression over x, y and z, whose values change, with conditions on c and k, which stay."""
    if depth == 0:
        return random.choice(["x", "y", "z", f"{random.randint(5000, 9000)}.0D", f"{random.randint(5000, 9000)}.0D"])
    first, second = _expression(random, depth - 1), _expression(random, depth - 1)
    condition = random.choice(_CONDITIONS)
    return random.choice(
        [
            f"({first} + {second})",
            f"({first} + {second} * 2)",
            f"case when {condition} then {first} else {second} end",
            f"if({condition}, {first}, {second})",
            f"coalesce({first}, {second})",
            f"cast({first} as double)",
        ]
    )


def test_a_cell_is_written_exactly_if_no_change_of_the_inputs_changes_it(ws: whence.Workspace) -> None:
    random = Random(33)
    expressions = [_expression(random, depth) for depth in (1, 2, 3) for _ in range(25)]
    query = "select id, " + ", ".join(f"{each} as e{number}" for number, each in enumerate(expressions))
    results = []
    for version in range(3):
        rows = [(n, n, "ab"[n % 2], *_values(random, has_z=n % 3 > 0)) for n in range(_ROWS)]
        ws.create(f"t{version}", rows, schema="id int, c int, k string, x double, y double, z double")
        results.append(ws.sql(f"{query} from t{version} order by id", name=f"r{version}"))
    values = [each.to_arrow().to_pydict() for each in results]
    grounds = [each.lineage.grounds().to_pydict() for each in results]
    for number, expression in enumerate(expressions):
        name = f"e{number}"
        for row in range(_ROWS):
            found = {each[name][row] for each in values}
            is_constant = len(found) == 1 and None not in found
            words = {each[name][row] for each in grounds}
            assert words == {"written" if is_constant else "data"}, (expression, row, found)


def _values(random: Random, *, has_z: bool) -> tuple[float, float, float | None]:
    x, y, z = (random.randint(1, 10**6) + random.random() for _ in range(3))
    return x, y, z if has_z else None


def test_frames_with_constants_are_known_as_such(ws: whence.Workspace) -> None:
    orders = ws.create("orders", ORDERS, schema=ORDERS_SCHEMA)
    functions = import_module("pyspark.sql.functions")
    labelled = ws.dataset(orders.df.withColumn("market", functions.lit("EU")), name="labelled")
    priced = ws.dataset(orders.df.withColumn("bonus", functions.lit(142050)), name="priced")
    counted = ws.dataset(ws.spark.range(3).toDF("n"), name="counted")
    assert _signs(labelled) == {}
    assert _signs(priced) == {"bonus": "wwwww"}
    assert _signs(counted) == {"n": "www"}


def test_the_way_back_says_where_a_value_was_written(ws: whence.Workspace) -> None:
    ws.sql("select 'US-East' as r, -- 99000\n 142050 as s\nunion all select 'US-West', 99000", name="regions")
    total = ws.sql("select sum(s) as total from regions", name="total")
    way = total.lineage.way(0, "total")
    assert way.origin == "built on values written in a query"
    origins = [cell.origin for step in way.inputs for cell in step.cells]
    assert origins == ["written in the query, line 2", "written in the query, line 3"]
    assert list(trace_lines(total, 0, "total", 1)) == [
        "total@1 row 0 total = 241050 (built on values written in a query)",
        "├─ aggregated: regions@1 row 0 s = 142050 (written in the query, line 2)",
        "└─ ... and 1 more of regions@1 s",
    ]


def test_a_value_of_a_notebook_is_written_in_a_cell(ws: whence.Workspace) -> None:
    notebook = ws.notebook("tour")
    notebook.append("markdown", source="Regions")
    notebook.append("sql", source="select 'US-East' as r,\n 142050 as s", name="regions")
    notebook.append("sql", source="select sum(s) as total from regions", name="total")
    notebook.wait()
    assert ws["regions"].lineage.origin(0, "s") == "written in the query of cell 2, line 2"
    assert ws["regions"].lineage.origin(0, "r") == "written in the query of cell 2, line 1"


def test_what_is_typed_into_a_sheet_is_written_there(ws: whence.Workspace) -> None:
    ws.create("stock", [("A", 10), ("B", 20), ("C", None)], schema="part string, pieces int")
    sheet = ws.sheet("stock").set(0, "pieces", 142050).set(2, "part", "Zed").set(1, "part", None)
    sheet.insert_column("bonus", value="=6*7").insert_column("double", value="=[@pieces]*2")
    sheet.insert_column("place", value="=ROW()").insert_row(after=2).set(3, "pieces", 99000)
    edited = sheet.apply(name="edited")
    assert _signs(edited) == {"part": "..w.", "pieces": "w..w", "bonus": "www.", "double": "w..."}
    assert edited.lineage.origin(0, "pieces") == "written in the sheet edited"
    assert edited.lineage.origin(0, "double") == "written in the sheet edited"
    assert edited.lineage.origin(1, "pieces") == edited.lineage.origin(1, "double") == ""
    assert "2 of 4 values of pieces are written in the sheet edited, not data." in edited.notes
    some = ws.sql("select pieces, part from edited where pieces > 50 order by pieces desc limit 1", name="some")
    assert _signs(some) == {"pieces": "w"}
    assert some.lineage.origin(0, "pieces") == "built on values written on a sheet"
    total = ws.sql("select sum(pieces) as n, count(*) as c from edited", name="total")
    assert _signs(total) == {"n": "p", "c": "p"}  # one of the rows was typed
    assert total.lineage.origin(0, "n") == "built partly on values written on a sheet"
    both = ws.sql("select sum(pieces) as n, 142050 as goal from edited", name="both")
    assert both.lineage.origin(0, "n") == "built partly on values written in queries and on sheets"


def test_a_row_typed_into_a_sheet_stands_on_no_data(ws: whence.Workspace) -> None:
    ws.create("regions", [("US-East", 10)], schema="r string, s int")
    sheet = ws.sheet("regions").insert_row(after=0).set(1, "r", "US-West").set(1, "s", 99000)
    padded = sheet.apply(name="padded")
    assert _signs(padded) == {"r": ".w", "s": ".w"}
    assert _signs(ws.sql("select r, count(*) as n from padded group by r order by r", name="counts")) == {
        "r": ".w",
        "n": ".w",
    }


def test_a_formula_is_written_if_all_that_it_reads_was_typed(ws: whence.Workspace) -> None:
    ws.create("stock", [("A", 10), ("B", 20), ("C", None)], schema="part string, pieces int")
    ws.create("names", [("A", "bolt")], schema="part string, name string")
    sheet = ws.sheet("stock").set(0, "pieces", 7).set(1, "pieces", 8)
    entries = {
        "rate": 1.5,  # C
        "chain": "=[@rate]*[@pieces]",
        "again": "=IF(C1>1, D1, 0)",
        "place": "=[@rate]+ROW()",
        "top": "=SUM(B$1:B$2)",
        "every": "=SUM(B:B)",
        "rates": "=SUM(C:C)/3",
        "name": '=XLOOKUP("A", names[part], names[name])',
    }
    for name, left in zip(entries, ["pieces", *entries], strict=False):
        sheet.insert_column(name, after=left, value=entries[name])
    edited = sheet.apply(name="edited")
    assert edited.columns == ["part", "pieces", *entries]
    assert _signs(edited) == {
        "pieces": "ww.",
        "rate": "www",
        "chain": "ww.",
        "again": "ww.",
        "top": "www",
        "rates": "www",
    }
    added = ws.sheet("stock").insert_row(after=2).set(3, "part", "D").set(3, "pieces", "=LEN(A4)").apply(name="added")
    assert _signs(added) == {"part": "...w", "pieces": "...w"}
    assert _signs(ws.sql("select max(pieces) as m from added where part = 'D'", name="most")) == {"m": "w"}


@pytest.mark.parametrize("seed", range(12))
def test_formulas_over_typed_cells_are_those_of_a_plain_definition(ws: whence.Workspace, seed: int) -> None:
    """Each cell shows data, was typed, or reads up to three cells to its left."""
    random, rows, letters = Random(seed), 4, "ABCDE"
    ws.create("grid", [(1, 2) for _ in range(rows)], schema="a int, b int")
    sheet = ws.sheet("grid")
    for name, left in zip("cde", "bcd", strict=True):
        sheet.insert_column(name, after=left, value=5)
    kinds: dict[tuple[int, int], str] = {}
    for column in range(5):
        for row in range(rows):
            before = [(other, at) for other in range(column) for at in range(rows)]
            kind = random.choice(["data" if column < 2 else "typed", "typed", "formula" if before else "typed"])
            read = random.sample(before, random.randint(1, 3)) if kind == "formula" else []
            parts = [f"{letters[other]}{at + 1}" for other, at in read]
            entry = {"data": None, "typed": 9, "formula": "=SUM(" + ", ".join(parts) + ")"}[kind]
            if entry is not None:
                sheet.set(row, letters[column].lower(), entry)
            is_written = all(kinds[each] == "w" for each in read)
            kinds[column, row] = "." if kind == "data" or not is_written else "w"
    expected = {letters[c].lower(): "".join(kinds[c, row] for row in range(rows)) for c in range(5)}
    assert _signs(sheet.apply(name="edited")) == {name: signs for name, signs in expected.items() if "w" in signs}


def test_a_sheet_that_only_rearranges_data_writes_nothing(ws: whence.Workspace) -> None:
    ws.create("stock", [("A", 10), ("B", 20), ("B", 30)], schema="part string, pieces int")
    ws.create("names", [("A", "bolt"), ("B", "nut")], schema="part string, name string")
    sheet = ws.sheet("stock").sort(("pieces", "desc")).delete_row(0).fill_down(0, "part")
    sheet.insert_column("name", value="=XLOOKUP([@part], names[part], names[name])")
    sheet.insert_column("share", value="=[@pieces]/SUM(B:B)").rename_column("pieces", "n").move_column("n", after=None)
    tidy = sheet.apply(name="tidy")
    assert _signs(tidy) == {}
    assert tidy.lineage.grounded
    assert ws.sql("select sum(n) as n from tidy", name="total").lineage.grounded


def test_what_the_user_brings_is_data(ws: whence.Workspace, tmp_path: Path) -> None:
    (tmp_path / "regions.csv").write_text("r,s\nUS-East,142050\n")
    created = ws.create("created", [("US-East", 142050)], schema="r string, s int")
    loaded = ws.load(str(tmp_path / "regions.csv"), name="loaded")
    assert created.lineage.grounded
    assert loaded.lineage.grounded
    assert created.lineage.origin(0, "s") == ""


def test_a_forgotten_input_hides_neither_rows_nor_own_constants(ws: whence.Workspace) -> None:
    ws.sql("select 142050 as s", name="gone")
    kept = ws.sql("select s, 99000 as t from gone", name="kept")
    assert kept.lineage.grounds().to_pylist() == [{"s": "written", "t": "written"}]
    ws.forget("gone", keep_dependants=True)
    kept = ws["kept"]
    assert kept.lineage.grounds().to_pylist() == [{"s": "data", "t": "written"}]
    assert kept.notes == ["1 of 1 value of t is written in the query, not data."]
    assert "99000" in kept._repr_html_()


def test_without_lineage_a_written_dataset_is_still_known(ws: whence.Workspace) -> None:
    ws.create("orders", ORDERS, schema=ORDERS_SCHEMA)
    assert not ws.sql("select 142050 as s", name="a", lineage=False).lineage.grounded
    assert ws.sql("select price * 2 as p from orders", name="b", lineage=False).lineage.grounded


def _signs(dataset: whence.Dataset) -> Answer:
    table = dataset.lineage.grounds()
    found = {name: "".join(_SIGNS[word] for word in table[name].to_pylist()) for name in table.column_names}
    answer = {name: signs for name, signs in found.items() if set(signs) - {"."}}
    assert dataset.lineage.grounded is (not answer)
    return answer
