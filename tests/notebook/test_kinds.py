"""Every cell kind in a notebook, against plain Python: rows, lineage, and that it reads and writes what it said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whence
from whence.model.errors import UserError
from whence.notebook.cells.registry import CELL_KINDS
from whence.notebook.run_cell import find_kind
from whence.transformations.vocabulary.registry import TRANSFORMATIONS
from whence.workspace.notebook_cell import Cell

PARTS = [("bolt", "red", 3), ("nut", "red", None), ("gear", "blue", 8), ("cog", None, 5)]
SHOPS = [("red", "Ulm"), ("blue", "Bonn"), ("green", "Kiel")]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("kinds") / "w.whence") as ws:
        ws.create("parts", PARTS, schema="part string, colour string, price int")
        ws.create("shops", SHOPS, schema="colour string, town string")
        yield ws


def ran(ws: whence.Workspace, kind: str, **values: Any) -> Cell:  # noqa: ANN401 - whatever a kind takes
    """The cell after it ran, having read and written what it had said."""
    nb = ws.notebook("kinds")
    cell = nb.append(kind, **values)
    nb.wait()
    assert cell.status == "ready", cell.error
    footprint, run = find_kind(kind).footprint(cell.values), nb.state_of(cell.id).run
    assert run is not None
    written = {each.name for each in run.outputs} | set(run.dropped) | set(run.parameters)
    assert frozenset(written) == footprint.writes
    assert set(run.reads) <= {name.lower() for name in footprint.reads or ()} | {
        f"\0file:{path}" for path in footprint.files
    }
    return cell


def rows(ws: whence.Workspace, name: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in ws[name].to_arrow().to_pylist()]


def test_filter_keeps_the_rows_for_which_the_condition_holds(shop: whence.Workspace) -> None:
    ran(shop, "filter", source="parts", condition="price > 3", name="dear")
    assert rows(shop, "dear") == [part for part in PARTS if part[2] is not None and part[2] > 3]
    assert shop["dear"].lineage.backward([0], to="parts").ids.tolist() == [2]


def test_select_rename_and_derive_choose_name_and_compute_columns(shop: whence.Workspace) -> None:
    ran(shop, "select", source="parts", columns=["price", "part"], name="shown")
    ran(shop, "rename", source="shown", columns={"part": "what"}, name="named")
    ran(shop, "derive", source="named", columns={"double price": "2 * price"}, name="doubled")
    assert shop["doubled"].columns == ["price", "what", "double price"]
    assert rows(shop, "doubled") == [(p, part, None if p is None else 2 * p) for part, _, p in PARTS]
    with pytest.raises(UserError, match="A select cell takes a list as columns, not int 3"):
        shop.notebook("kinds").append("select", source="parts", columns=3, name="x")


def test_group_by_gives_one_row_for_each_group(shop: whence.Workspace) -> None:
    values = {"n": "count(*)", "most": "max(price)"}
    ran(shop, "group_by", source="parts", columns=["colour"], values=values, name="by")
    assert rows(shop, "by") == [(None, 1, 5), ("blue", 1, 8), ("red", 2, 3)]
    ran(shop, "group_by", source="parts", values={"n": "count(price)"}, name="all_parts")
    assert rows(shop, "all_parts") == [(3,)]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("inner", {("bolt", "red", 3, "Ulm"), ("nut", "red", None, "Ulm"), ("gear", "blue", 8, "Bonn")}),
        ("anti", {("cog", None, 5)}),
        ("semi", {("bolt", "red", 3), ("nut", "red", None), ("gear", "blue", 8)}),
    ],
)
def test_join_puts_rows_together(shop: whence.Workspace, how: str, expected: set[tuple[Any, ...]]) -> None:
    ran(shop, "join", source="parts", other="shops", on=["colour"], how=how, name=f"{how}_joined")
    assert set(rows(shop, f"{how}_joined")) == expected


def test_join_by_a_condition_and_without_one(shop: whence.Workspace) -> None:
    ran(shop, "join", source="parts", other="shops", condition="l.colour < r.colour", how="left", name="before")
    assert len(rows(shop, "before")) == sum(max(1, sum(p[1] is not None and p[1] < s[0] for s in SHOPS)) for p in PARTS)
    ran(shop, "join", source="parts", other="shops", how="cross", name="pairs")
    assert len(rows(shop, "pairs")) == len(PARTS) * len(SHOPS)
    with pytest.raises(UserError, match="A join needs either on or condition"):
        shop.notebook("kinds").append("join", source="parts", other="shops", name="x")


def test_union_finds_columns_by_name(shop: whence.Workspace) -> None:
    nb = shop.notebook("kinds")
    failed = nb.append("union", source="parts", other=["shops"], name="both")
    nb.wait()
    assert failed.error is not None
    assert failed.error.message == "parts@1 has no column town, which shops@1 has."
    nb.delete(failed)
    ran(shop, "union", source="shops", other=["parts", "shops"], fill=True, name="both")
    towns = [(colour, town, None, None) for colour, town in SHOPS]
    assert rows(shop, "both") == [*towns, *((colour, None, part, price) for part, colour, price in PARTS), *towns]


def test_split_sends_every_row_to_the_first_part_that_takes_it(shop: whence.Workspace) -> None:
    parts = [{"name": "cheap", "condition": "price < 4"}, {"name": "small", "condition": "price < 6"}]
    cell = ran(shop, "split", source="parts", parts=parts, otherwise="others")
    assert list(cell.outputs.datasets) == ["cheap", "small", "others"]
    found = [rows(shop, name) for name in ("cheap", "small", "others")]
    assert found == [[PARTS[0]], [PARTS[3]], [PARTS[1], PARTS[2]]]


def test_a_sample_is_the_same_every_time(shop: whence.Workspace) -> None:
    shop.create("many", [(n, n % 4) for n in range(2000)], schema="n int, k int")
    cell = ran(shop, "sample", source="many", fraction=0.25, name="some")
    assert isinstance(cell.values["seed"], int)
    first = rows(shop, "some")
    assert len(first) == 500
    shop.notebook("kinds").run(cell, again=True).wait()
    assert rows(shop, "some") == first
    ran(shop, "sample", source="many", rows=40, by="k", seed=1, name="strata")
    found = rows(shop, "strata")
    assert [sum(k == each for _, k in found) for each in range(4)] == [40] * 4
    ran(shop, "sample", source="many", fraction=0.1, by="k", seed=2, name="tenths")
    assert [sum(k == each for _, k in rows(shop, "tenths")) for each in range(4)] == [50] * 4
    ran(shop, "sample", source="many", rows=7, seed=3, name="seven")
    seven = rows(shop, "seven")
    assert len(set(seven)) == 7
    where = shop["seven"].lineage.backward([0], to="many").ids.tolist()
    assert where == [seven[0][0]]


def test_copy_rename_drop_and_checkpoint_change_names_alone(shop: whence.Workspace) -> None:
    ran(shop, "copy_dataset", source="shops", name="copied")
    ran(shop, "rename_dataset", source="copied", name="moved")
    assert rows(shop, "moved") == SHOPS
    with pytest.raises(
        whence.WhenceError, match="copied is made by the notebook kinds, whose branch main has not made it"
    ):
        shop["copied"]
    kept = ran(shop, "checkpoint", source="moved", name="kept")
    assert kept.outputs.rich[0].data == {"text/plain": "3 rows, 2 columns, nothing in doubt"}
    ran(shop, "drop_dataset", source=["moved"])
    failed = shop.notebook("kinds").append("copy_dataset", source="moved", name="again")
    shop.notebook("kinds").wait()
    assert failed.error is not None
    assert failed.error.message == "No dataset is named moved where this cell stands."
    shop.notebook("kinds").delete(failed)


def test_an_expect_cell_marks_what_fails_and_an_error_blocks_what_is_below(shop: whence.Workspace) -> None:
    sold = {"columns": ["colour"], "dataset": "shops", "other": ""}
    cell = ran(shop, "expect", source="parts", not_null=["price"], key=["part"], reference=[sold], name="checked")
    assert shop["checked"].caveats.marks()["price"].to_pylist() == [False, True, False, False]
    assert shop["checked"].caveats.doubt.columns == {"price"}
    assert "price is not null: 1 of 4 rows" in str(cell.outputs)
    nb = shop.notebook("strict")
    strict = nb.append("expect", source="parts", not_null=["price"], severity="error", name="strict")
    below = nb.append("sql", source="select sum(price) s from strict", name="strict_sum")
    nb.wait()
    assert (strict.status, below.status, below.reason) == ("error", "stale", "upstream error")
    assert "price is not null (1 row)" in str(strict.error)
    assert "strict" not in {each.name for each in shop.datasets()}


def test_a_caveat_cell_says_what_is_in_doubt(shop: whence.Workspace) -> None:
    ran(shop, "caveat", source="parts", message="looks odd", column="price", where="price > 7", name="doubted")
    assert shop["doubted"].caveats.marks()["price"].to_pylist() == [False, False, True, False]
    ran(shop, "caveat", source="doubted", message="some are missing", name="loose")
    assert shop["loose"].caveats.row_set
    assert rows(shop, "loose") == PARTS


def test_a_caveat_cell_states_a_range(shop: whence.Workspace) -> None:
    told: dict[str, Any] = {"source": "parts", "message": "looks odd", "where": "price > 7", "name": "ranged"}
    ran(shop, "caveat", **told, column="price", low=5, high="10")
    assert tuple(shop["ranged"].caveats.bounds(2, "price")) == (5, 8, 10)
    ran(shop, "caveat", **told, column="price", high=9)
    assert tuple(shop["ranged"].caveats.bounds(2, "price")) == (None, 8, 9)
    wrong: dict[str, dict[str, Any]] = {
        "No price lies between 9 and 5.": {"column": "price", "low": 9, "high": 5},
        "'many' is no end of a range of column price, which holds int32.": {"column": "price", "low": "many"},
        "A range is stated about cells, and this caveat names no column.": {"low": 5},
    }
    for message, values in wrong.items():
        nb = shop.notebook("kinds")
        cell = nb.append("caveat", **told, **values)
        nb.wait()
        assert cell.error is not None
        assert cell.error.message == message


def test_parameters_reach_queries(shop: whence.Workspace) -> None:
    cell = ran(shop, "parameters", source="least = 4\ncolour = blue")
    assert cell.outputs.parameters == {"least": 4, "colour": "blue"}
    query = ran(shop, "sql", source="select part from parts where price > :least and colour = :colour", name="chosen")
    assert rows(shop, "chosen") == [("gear",)]
    run = shop.notebook("kinds").state_of(query.id).run
    assert run is not None
    assert set(run.reads) == {"parts", "least", "colour"}
    ran(shop, "filter", source="parts", condition="price > :least", name="above")
    assert rows(shop, "above") == [PARTS[2], PARTS[3]]
    shop.notebook("kinds").update(cell, source={"least": 7, "colour": "blue"})
    shop.notebook("kinds").wait()
    assert rows(shop, "above") == [PARTS[2]]


def test_charts_are_datasets_of_marks_with_lineage(shop: whence.Workspace) -> None:
    bars = ran(shop, "chart", source="parts", chart="bar", x="colour", y="price", name="bars")
    assert sorted(rows(shop, "bars"), key=str) == sorted([("red", 3), ("blue", 8), (None, 5)], key=str)
    place = [row[0] for row in rows(shop, "bars")].index("red")
    assert shop["bars"].lineage.backward([place], to="parts").ids.tolist() == [0, 1]
    drawn: Any = bars.outputs.rich[0].data["application/vnd.vegalite.v6+json"]
    assert [mark["_mark"] for mark in drawn["datasets"]["rows"]] == [0, 1, 2]
    shop.create("ages", [(n * n % 90,) for n in range(100)] + [(None,)], schema="age int")
    ages = [n * n % 90 for n in range(100)]
    ran(shop, "chart", source="ages", chart="histogram", x="age", bins=10, name="histogram")
    low, width = min(ages), (max(ages) - min(ages)) / 10
    expected = [sum(min(int((age - low) / width), 9) == number for age in ages) for number in range(10)]
    assert [row[2] for row in rows(shop, "histogram")] == [count for count in expected if count]
    ran(shop, "chart", source="ages", chart="cdf", x="age", name="shares")
    steps = [(age, pytest.approx(sum(each <= age for each in ages) / 100)) for age in sorted(set(ages))]
    assert rows(shop, "shares") == steps
    ran(shop, "chart", source="parts", chart="scatter", x="part", y="price", series="colour", name="points")
    assert len(rows(shop, "points")) == 3


def test_a_chart_is_whatever_the_grammar_can_say(shop: whence.Workspace) -> None:
    spec = {"aes": {"x": "colour", "y": "price"}, "layer": [{"stat": "mean", "geom": "bar"}, {"geom": "point"}]}
    cell = ran(shop, "chart", source="parts", spec=spec, name="layered", title="Prices")
    drawn: Any = cell.outputs.rich[0].data["application/vnd.vegalite.v6+json"]
    assert drawn["title"]["text"] == "Prices"
    assert len(drawn["layer"]) == 2
    ran(shop, "sql", source="select colour, 10 as price from parts", name="flat")
    other = {"aes": {"x": "colour", "y": "price"}, "layer": [{"geom": "point"}, {"data": "flat", "geom": "point"}]}
    two = ran(shop, "chart", source="parts", spec=other, name="both")
    assert {parent.name for parent in two.outputs.datasets["both"].parents()} == {"parts", "flat"}
    ran(shop, "chart", source="parts", chart="bar", x="colour", y="avg(price)", name="means")
    means = {row[0]: row[1] for row in rows(shop, "means")}
    assert means["blue"] == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"chart": "bar"}, "A chart cell needs x, or a spec."),
        ({"chart": "bar", "x": "colour", "spec": {"geom": "bar"}}, "A chart cell takes spec or chart, not both."),
    ],
)
def test_a_chart_cell_says_what_is_missing(shop: whence.Workspace, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(whence.WhenceError, match=sentence):
        shop.notebook("kinds").append("chart", source="parts", name="c", **values)


def test_a_chart_of_a_sum_by_a_sum_is_computed_in_sql_first(shop: whence.Workspace) -> None:
    nb = shop.notebook("kinds")
    cell = nb.append("chart", source="parts", chart="bar", x="colour", y="sum(price) / sum(part)", name="c")
    nb.wait()
    assert cell.error is not None
    assert "sum(price) / sum(part) is neither a column nor one of sum(...)" in cell.error.message
    nb.delete(cell)


def test_an_export_cell_writes_again_when_its_dataset_changes(shop: whence.Workspace, tmp_path: Path) -> None:
    source = ran(shop, "sql", source="select 1 as n", name="exported")
    cell = ran(shop, "export", source="exported", path=tmp_path / "n.csv")
    assert cell.outputs.rich[0].data["text/plain"] == f"1 rows written to {tmp_path / 'n.csv'} as csv"
    shop.notebook("kinds").update(source, source="select 2 as n")
    shop.notebook("kinds").wait()
    assert (tmp_path / "n.csv").read_bytes() == b"n\r\n2\r\n"


def test_a_loaded_file_that_changes_makes_its_cells_stale(shop: whence.Workspace, tmp_path: Path) -> None:
    file = tmp_path / "towns.csv"
    file.write_text("town,people\nUlm,126\n")
    nb = shop.notebook("files")
    load = nb.append("load", source=file, name="towns")
    total = nb.append("sql", source="select sum(people) n from towns", name="people")
    nb.wait()
    assert rows(shop, "people") == [(126,)]
    file.write_text("town,people\nUlm,126\nBonn,331\n")
    nb.runner._looked = ((-1, -1), 0.0)
    assert [(cell.status, cell.reason) for cell in (load, total)] == [("stale", "input changed")] * 2
    nb.run_stale().wait()
    assert rows(shop, "people") == [(457,)]


def test_every_kind_is_tried_here() -> None:
    text = Path(__file__).read_text()
    tried = {kind for kind in CELL_KINDS if f'"{kind}"' in text}
    elsewhere = {"markdown", "python", "sheet"} | set(TRANSFORMATIONS)
    assert set(CELL_KINDS) - tried <= elsewhere, "these stand in other tests"


def test_an_explain_cell_says_why_and_its_answer_becomes_a_dataset(shop: whence.Workspace) -> None:
    rows_of = [
        (hour, sensor, 100.0 if (hour, sensor) == (2, 3) else 20.0 + sensor)
        for hour in range(4)
        for sensor in range(1, 5)
        for _ in range(20)
    ]
    shop.create("readings", rows_of, schema="hour int, sensor int, temp double")
    ran(shop, "sql", source="select hour, avg(temp) t from readings group by hour order by hour", name="hourly")
    asked = ran(shop, "explain", source="hourly", column="t", outliers="t > 30", becomes="filter", name="without")
    told: Any = asked.outputs.rich[0].data["text/markdown"]
    assert told.startswith("1. `sensor = 3`")
    assert "t goes from 41.75 to 22.33" in told
    kept = [row for row in rows_of if row[1] != 3]
    assert sorted(rows(shop, "without")) == sorted(kept)
    ran(shop, "explain", source="hourly", column="t", outliers=[2], fine=[0, 1, 3], becomes="label", name="labelled")
    assert sum(row[3] for row in rows(shop, "labelled")) == 80
    ran(shop, "explain", source="hourly", column="t", outliers=[2], becomes="caveat", name="doubted")
    marks = shop["doubted"].caveats.marks().column("temp").to_pylist()
    assert [row[1] == 3 for row in rows(shop, "doubted")] == marks
    only = ran(shop, "explain", source="hourly", column="t", outliers="t > 30")
    assert only.outputs.datasets == {}


def test_an_explain_cell_says_what_it_cannot_do(shop: whence.Workspace) -> None:
    nb = shop.notebook("kinds")
    with pytest.raises(UserError, match="Give both becomes and name"):
        nb.append("explain", source="hourly", column="t", outliers=[2], becomes="filter")
    cell = nb.append("explain", source="hourly", column="t", outliers="t > 1000")
    nb.wait()
    assert cell.error is not None
    assert cell.error.message == "Say which values look odd."
    nb.delete(cell)
