"""The whole way once: rows in, a query over them, and back from a cell to the rows and doubts behind it."""

from __future__ import annotations

import pytest

import whence
from whence.model.errors import BadQuery, UnknownColumn, UnknownRow, UserError


@pytest.fixture
def totals(ws: whence.Workspace) -> whence.Dataset:
    rows = [("a", 1), ("b", 2), ("a", None), ("c", 5)]
    ws.create("t", rows, schema="k string, x int", cell_caveats=[(2, "x", "smudged")])
    return ws.sql("select k, sum(x) s from t where x is null or x < 5 group by k order by k", name="totals")


def test_rows_come_back_as_the_query_ordered_them(totals: whence.Dataset) -> None:
    assert totals.rows(0, 10).to_pylist() == [{"k": "a", "s": 1}, {"k": "b", "s": 2}]


def test_backward_gives_the_rows_of_the_group_that_passed_the_filter(totals: whence.Dataset) -> None:
    assert [totals.lineage.backward([row], to="t").ids.tolist() for row in (0, 1)] == [[0, 2], [1]]


def test_forward_gives_the_group_a_row_went_to_and_nothing_for_a_row_left_out(
    ws: whence.Workspace, totals: whence.Dataset
) -> None:
    assert [ws["t"].lineage.forward([row], to="totals").ids.tolist() for row in range(4)] == [[0], [1], [0], []]


def test_a_cell_names_its_input_cells_with_their_roles(totals: whence.Dataset) -> None:
    found = [(ref.row, ref.column, ref.role, ref.value) for ref in totals.lineage.cell(0, "s")]
    assert found == [
        (0, "x", "aggregated", 1),
        (2, "x", "aggregated", None),
        (0, "k", "grouped", "a"),
        (2, "k", "grouped", "a"),
    ]


def test_a_doubt_reaches_the_aggregate_of_its_group_only(totals: whence.Dataset) -> None:
    assert totals.caveats.marks().to_pylist() == [
        {"k": False, "s": True, "_row": False},
        {"k": False, "s": False, "_row": False},
    ]
    assert totals.caveats.row_set is False


def test_the_caveat_behind_a_mark_is_listed_with_its_place(totals: whence.Dataset) -> None:
    (group,) = totals.caveats.list(row=0, column="s")
    (place,) = group.references
    assert (group.message, group.count, place.dataset, place.row, place.column) == ("smudged", 1, "t", 2, "x")
    assert totals.caveats.list(row=1) == []


def test_lineage_composes_over_several_datasets(ws: whence.Workspace, totals: whence.Dataset) -> None:
    top = ws.sql("select max(s) m from totals", name="top")
    assert top.lineage.backward([0], to="t").ids.tolist() == [0, 1, 2]
    assert ws["t"].lineage.forward([1], to="top").ids.tolist() == [0]
    assert {(ref.dataset, ref.row, ref.column) for ref in top.lineage.cell(0, "m", to="sources")} >= {("t", 0, "x")}


def test_queries_over_traced_rows_keep_their_lineage(ws: whence.Workspace, totals: whence.Dataset) -> None:
    rows = totals.lineage.backward([0], to="t")
    again = ws.sql("select count(*) n from {r}", name="again", r=rows)
    assert again.to_arrow().to_pylist() == [{"n": 2}]
    assert again.lineage.backward([0], to="t").ids.tolist() == [0, 2]


def test_rows_can_be_chosen_by_a_condition(totals: whence.Dataset) -> None:
    assert totals.lineage.backward(where="s > 1", to="t").ids.tolist() == [1]


def test_a_dataframe_gets_the_same_lineage_as_the_query(ws: whence.Workspace, totals: whence.Dataset) -> None:
    frame = ws["t"].df.where("x is null or x < 5").groupBy("k").agg({"x": "sum"}).orderBy("k")
    built = ws.dataset(frame, name="built")
    assert built.lineage.pairs(to="t")[0].tolist() == totals.lineage.pairs(to="t")[0].tolist()
    assert built.lineage.pairs(to="t")[1].tolist() == totals.lineage.pairs(to="t")[1].tolist()


def test_everything_is_there_after_reopening(ws: whence.Workspace, totals: whence.Dataset) -> None:
    ws.close()
    with whence.open(ws.path) as again:
        assert again["totals"].to_arrow() == totals.to_arrow()
        assert again["totals"].lineage.backward([0], to="t").ids.tolist() == [0, 2]
        assert again["totals"].caveats.marks().column("s").to_pylist() == [True, False]


def test_earlier_versions_stay(ws: whence.Workspace, totals: whence.Dataset) -> None:
    ws.create("t", [("z", 9)], schema="k string, x int")
    assert ws["t"].count == 1
    assert ws["t@1"].count == 4
    assert totals.lineage.backward([1], to="t").record.version == 1


def test_an_operator_without_a_rule_gives_coarse_lineage_and_says_so(ws: whence.Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="x int", cell_caveats=[(0, "x", "smudged")])
    opaque = ws.dataset(ws["t"].df.mapInPandas(lambda frames: frames, "x int", barrier=True), name="opaque")
    assert not opaque.lineage.exact
    assert "coarse" in opaque.lineage.strategy
    assert opaque.lineage.backward([0], to="t").ids.tolist() == [0, 1]
    assert all(all(row.values()) for row in opaque.caveats.marks().to_pylist())
    assert {group.family for group in opaque.caveats.list()} == {"lineage", "coarse", "user"}


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("select * from totls", "There is no dataset totls (line 1, position 14). Did you mean totals?"),
        ("select kk from t", "There is no column kk (line 1, position 7). Did you mean k, x?"),
    ],
)
def test_a_wrong_name_gets_a_sentence_with_place_and_hint(
    ws: whence.Workspace, totals: whence.Dataset, query: str, sentence: str
) -> None:
    with pytest.raises(BadQuery) as caught:
        ws.sql(query)
    assert str(caught.value) == sentence


def test_a_failed_query_leaves_nothing_behind(ws: whence.Workspace, totals: whence.Dataset) -> None:
    with pytest.raises(BadQuery):
        ws.sql("select cast(k as int) n from t", name="broken")
    assert [dataset.name for dataset in ws.datasets()] == ["t", "totals"]
    assert list((ws.path / "staging").iterdir()) == []


def test_wrong_places_are_named(totals: whence.Dataset) -> None:
    with pytest.raises(UnknownRow, match=r"totals@1 has no row 7\. Its rows are 0 to 1."):
        totals.lineage.backward([7], to="t")
    with pytest.raises(UnknownColumn, match=r"totals@1 has no column z\. It has k, s."):
        totals.lineage.cell(0, "z")
    with pytest.raises(UserError, match="Say which rows"):
        totals.lineage.backward(to="t")


def test_unrelated_datasets_are_told_apart(ws: whence.Workspace, totals: whence.Dataset) -> None:
    ws.create("other", [(1,)], schema="x int")
    with pytest.raises(whence.NotRelated, match=r"totals@1 was not made from other@1. It was made from t@1."):
        totals.lineage.backward([0], to="other")


def test_repeated_column_names_are_told_apart(ws: whence.Workspace, totals: whence.Dataset) -> None:
    joined = ws.sql("select a.k, b.k from t a join t b on a.x = b.x", name="joined")
    assert joined.columns == ["k", "k_2"]


def test_the_callers_own_session_is_used_and_left_as_it_was(ws: whence.Workspace, tmp_path: object) -> None:
    caller = ws.spark.newSession()
    caller.conf.set("spark.sql.shuffle.partitions", "3")
    before = dict(caller.conf.getAll)
    with whence.open(f"{tmp_path}/mine.whence", spark=caller) as mine:
        mine.create("t", [(1,), (2,)], schema="x int")
        assert mine.sql("select sum(x) s from t").to_arrow().to_pylist() == [{"s": 3}]
        assert mine.spark.conf.get("spark.sql.shuffle.partitions") == "3"
    assert dict(caller.conf.getAll) == before
    assert caller.catalog.listTables() == []


def test_a_query_without_capture_keeps_its_marks_and_says_that_lineage_is_off(
    ws: whence.Workspace, totals: whence.Dataset
) -> None:
    plain = ws.sql("select k, sum(x) s from t group by k order by k", name="plain", lineage=False)
    assert plain.caveats.marks().column("s").to_pylist() == [True, False, False]
    assert not plain.lineage.exact
    assert plain.lineage.strategy.startswith("off:")
    assert plain.lineage.backward([0], to="t").ids.tolist() == [0, 1, 2, 3]
