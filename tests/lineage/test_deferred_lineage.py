"""Lineage that is worked out after the query says what lineage that travelled with it says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import whence
from whence.lineage.strategy import describe_limit, describe_pruned

ROWS = [
    ("a", 1.0, 1), ("a", -0.0, 2), (None, 0.0, 3), ("b", float("nan"), 4), (None, float("nan"), None), ("b", None, 6),
    ("a", 1.0, 7), ("c", None, 8),
]  # fmt: skip

QUERIES = {
    "keys": "select k, sum(n) s from facts group by k",
    "two keys, one a float": "select x, k, count(*) c from facts group by k, x",
    "a key that is computed": "select upper(k) u, max(n) m from facts group by upper(k)",
    "a key under another name": "select s + 1 t, g from (select k g, sum(n) s from facts group by k)",
    "only some rows": "select k, count(*) c from facts where n > 2 group by k",
    "only some groups": "select k, count(*) c from facts group by k having count(*) > 1 order by k limit 2",
    "a FILTER clause": "select k, sum(n) filter (where n > 2) s, count(*) c from facts group by k",
    "distinct rows": "select distinct k from facts",
    "one key twice": "select n, count(*) c, n from facts group by all",
    "few groups of a join": (
        "select f.k, o.label, f.x, count(*) c from facts f join other o on f.n >= o.n or f.k is null "
        "group by all order by c desc, f.k, o.label, f.x limit 4"
    ),
    "no groups at all": "select k, count(*) c from facts where n > 99 group by k limit 3",
    "all rows": "select sum(n) s, count(*) c from facts where n < 7",
    "no rows": "select sum(n) s from facts where n < 0",
    "a join": "select f.k, count(*) c from facts f join other o on f.n = o.n group by f.k",
    "an outer join": "select o.label, count(*) c from facts f left join other o on f.n = o.n group by o.label",
    "both branches": "select n, count(*) c from (select n from facts union all select n from other) group by n",
}

NOT_LATER = {
    "no group": "select k, n from facts",
    "rows that differ each time": "select k, count(*) c from facts where rand() < 2 group by k",
    "the clock": "select k, count(*) c from facts where current_timestamp() > timestamp'2020-01-01' group by k",
    "a group nobody shows": "select sum(n) s from facts group by k",
    "groups of groups": "select c, count(*) d from (select k, count(*) c from facts group by k) group by c",
    "some row of each": "select k, count(*) c from (select k from facts limit 3) group by k",
}


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[whence.Workspace]:
    with whence.open(tmp_path / "late.whence") as workspace:
        workspace.create("facts", ROWS, schema="k string, x double, n int")
        workspace.create("other", [(1, "one"), (2, "two"), (2, "deux"), (9, "nine")], schema="n int, label string")
        yield workspace


def _pairs(dataset: whence.Dataset) -> dict[str, set[tuple[tuple[object, ...], int]]]:
    """Which values came from which source rows; two runs may number their rows differently."""
    rows = [tuple(map(repr, row.values())) for row in dataset.to_arrow().to_pylist()]
    found = {}
    for source in ("facts", "other"):
        try:
            out, ids = dataset.lineage.pairs(to=source)
        except whence.NotRelated:
            continue
        found[source] = {(rows[row], int(rid)) for row, rid in zip(out, ids, strict=True)}
    return found


def test_what_is_worked_out_later_is_what_travels_along(ws: whence.Workspace) -> None:
    for name, text in QUERIES.items():
        along = ws.sql(text, name="along", lineage="inject")
        later = ws.sql(text, name="later", lineage="defer")
        lazy = ws.sql(text, name="lazy", lineage="lazy")
        assert along.lineage.strategy.startswith("inject"), name
        assert later.lineage.strategy.startswith("defer"), name
        assert lazy.lineage.strategy.startswith("lazy"), name
        assert _pairs(later) == _pairs(along), name
        assert _pairs(lazy) == _pairs(along), name
        assert later.lineage.exact


def test_few_rows_are_found_by_what_they_show_until_asking_goes_on(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, found = ws._context.engine, list[int]()
    pairs = engine.pairs

    def counted(*args: object, **named: object) -> pa.Table:
        table = pairs(*args, **named)  # type: ignore[arg-type]
        found.append(table.num_rows)
        return table

    monkeypatch.setattr(engine, "pairs", counted)
    asked = ("two keys, one a float", "a key that is computed", "a FILTER clause", "an outer join", "both branches")
    chosen = {name: QUERIES[name] for name in asked}

    def deferred_files() -> list[Path]:
        return list((ws.path / "tmp" / "deferred").rglob("*/*"))

    for name, text in chosen.items():
        along, lazy = (ws.sql(text, name=mode, lineage=mode) for mode in ("inject", "lazy"))
        if lazy.count < 2:
            continue
        before, last = len(deferred_files()), lazy.count - 1
        expected = _pairs(along)
        for source in expected:
            row = tuple(map(repr, lazy.to_arrow().to_pylist()[last].values()))
            ids = lazy.lineage.backward([last], to=source).ids.tolist()
            assert {(row, rid) for rid in ids} == {pair for pair in expected[source] if pair[0] == row}, name
        assert len(deferred_files()) == before, name
    assert max(found) <= 6  # the largest group; the others were not asked about
    for _ in range(4):
        lazy.lineage.backward([0], to="facts")
    assert len(deferred_files()) == before + 1


def test_cells_and_filter_clauses_read_late_blocks_too(ws: whence.Workspace) -> None:
    text = QUERIES["a FILTER clause"] + " order by k nulls last"
    cells = []
    for mode in ("inject", "defer"):
        dataset = ws.sql(text, name=mode, lineage=mode)
        cells.append([[(ref.row, ref.column, ref.role) for ref in dataset.lineage.cell(0, c)] for c in ("s", "c", "k")])
    assert cells[0] == cells[1]


def test_what_cannot_be_run_again_travels_along(ws: whence.Workspace) -> None:
    for name, text in NOT_LATER.items():
        dataset = ws.sql(text, name="now", lineage="defer")
        assert dataset.lineage.strategy.startswith("inject"), name
        assert dataset.lineage.backward(range(dataset.count), to="facts").count > 0, name
    rows = ws["facts"].lineage.forward([0], to="now")
    over_rows = ws.sql("select count(*) c from {r}", name="counted", lineage="defer", r=rows)
    assert over_rows.lineage.strategy.startswith("inject")


def test_few_rows_travel_along_unless_asked_otherwise(ws: whence.Workspace) -> None:
    assert ws.sql(QUERIES["keys"], name="auto").lineage.strategy.startswith("inject")


def test_an_unknown_way_is_refused_in_one_sentence(ws: whence.Workspace) -> None:
    with pytest.raises(whence.WhenceError, match="'eager'"):
        ws.sql("select 1", lineage="eager")  # type: ignore[arg-type]


def test_a_block_that_is_lost_or_damaged_is_made_again(ws: whence.Workspace) -> None:
    later = ws.sql(QUERIES["keys"], name="later", lineage="defer")
    expected = _pairs(later)
    ws.create("facts", ROWS[:1], schema="k string, x double, n int")  # the query meant the version before
    ws.close()
    files = [path for path in (ws.path / "tmp" / "deferred").rglob("*") if path.is_file()]
    assert len(files) == 1
    data = bytearray(files[0].read_bytes())
    data[len(data) // 2] ^= 1
    files[0].write_bytes(data)
    with whence.open(ws.path) as again:
        assert _pairs(again["later"]) == expected
    shutil.rmtree(ws.path / "tmp" / "deferred")
    with whence.open(ws.path) as again:
        assert _pairs(again["later"]) == expected


def test_waiting_makes_the_block_and_forgetting_removes_it(ws: whence.Workspace) -> None:
    later = ws.sql(QUERIES["keys"], name="later", lineage="defer")
    later.lineage.wait()
    assert any((ws.path / "tmp" / "deferred").rglob("*"))
    ws.forget("later")
    assert not [path for path in (ws.path / "tmp" / "deferred").rglob("*") if path.is_file()]


def test_row_keys_do_not_depend_on_when_lineage_is_captured(ws: whence.Workspace) -> None:
    text = QUERIES["two keys, one a float"]
    along, later = ws.sql(text, name="t", lineage="inject"), ws.sql(text, name="t", lineage="defer")
    difference = ws.diff("t@1", "t@2")
    assert (along.count, difference.added.count, difference.removed.count) == (later.count, 0, 0)


def test_a_large_group_by_is_left_for_later(ws: whence.Workspace) -> None:
    count = 1_000_000
    ws.create("many", pa.table({"k": np.arange(count) % 3}))
    totals = ws.sql("select k, count(*) c from many group by k order by k", name="totals")
    assert totals.lineage.strategy.startswith("defer: ")
    assert totals.lineage.backward([1], to="many").ids.tolist() == list(range(1, count, 3))
    everything = ws.sql("select count(*) c from many", name="everything")
    assert "1,000,000" in everything.lineage.strategy
    assert everything.lineage.backward([0], to="many").count == count


def test_few_groups_of_a_large_join_are_left_for_later(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whence.lineage.strategy.MANY_ROWS", 5)
    grouped = "select f.k, count(*) c from facts f join other o on f.n = o.n group by f.k order by c"
    assert ws.sql(f"{grouped} limit 2", name="few").lineage.strategy.startswith("inject"), "no marks travel along"
    ws.sql("select k, x, caveat_if(n, n = 7, 'odd') as n from facts", name="facts")
    assert ws.sql(f"{grouped} limit 2", name="few").lineage.strategy.startswith("defer: the rows came first")
    assert (
        "beside doubt flags, ids of all groups would be carried for 2, whose rows are found by what they show"
        in ws["few"].lineage.strategy
    )
    assert ws.sql(f"{grouped} limit 500", name="many").lineage.strategy.startswith("inject")
    of_floats = "select x, count(*) c from facts f join other o on f.n = o.n group by x order by c limit 2"
    assert ws.sql(of_floats, name="floats").lineage.strategy.startswith("inject"), "no file can be asked for a NaN"


def test_large_groups_of_a_join_are_left_for_later_on_the_first_run(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.lineage.strategy.MANY_ROWS", 20_000)
    monkeypatch.setattr("whence.lineage.strategy.LARGE_GROUP", 5_000)
    count = 40_000
    numbers = np.arange(count)
    ws.create("sales", pa.table({"few": numbers % 4, "block": numbers // 500, "n": numbers % 100}))
    ws.create("names", pa.table({"n": np.arange(100), "even": np.arange(100) % 2}))
    joined = "from sales s join names t on s.n = t.n group by"
    few = ws.sql(f"select few, count(*) c {joined} few order by few", name="few")
    assert "defer: the rows came first" in few.lineage.strategy
    assert "4 groups would hold the ids of up to 40,100 rows" in few.lineage.strategy
    assert few.lineage.backward([1], to="sales").ids.tolist() == list(range(1, count, 4))
    computed = ws.sql(f"select upper(concat(even, few)) k, count(*) c {joined} all", name="computed")
    assert "8 groups would hold" in computed.lineage.strategy
    for keys in ("few, even, s.n", "block", "rand(1) < 2, few"):
        assert ws.sql(f"select {keys}, count(*) c {joined} all", name="small").lineage.strategy.startswith("inject"), (
            keys
        )


def test_a_pause_leaves_group_bys_to_the_first_question_and_the_rest_untraced(ws: whence.Workspace) -> None:
    ws.capture.pause()
    grouped, plain = ws.sql(QUERIES["keys"], name="grouped"), ws.sql("select n from facts", name="plain")
    ws.capture.resume()
    assert (grouped.lineage.strategy.split(":")[0], plain.lineage.strategy.split(":")[0]) == ("lazy", "off")
    assert grouped.lineage.exact
    assert not plain.lineage.exact
    assert _pairs(grouped) == _pairs(ws.sql(QUERIES["keys"], name="again"))


def test_what_takes_more_bytes_than_the_limit_is_not_kept(ws: whence.Workspace) -> None:
    ws.capture.limit(bytes=20)
    large, small = ws.sql("select * from facts order by n", name="large"), ws.sql("select 1 from other", name="small")
    ws.capture.limit()
    assert large.lineage.strategy == describe_limit(32, 20)
    assert large.lineage.backward([0], to="facts").count == len(ROWS)
    assert small.lineage.exact


def test_only_some_datasets_are_traced(ws: whence.Workspace) -> None:
    for mode in ("inject", "defer"):
        ws.capture.only("facts")
        joined = ws.sql(QUERIES["a join"], name="joined", lineage=mode)
        ws.capture.only()
        everything = ws.sql(QUERIES["a join"], name="everything", lineage="inject")
        assert _pairs(joined)["facts"] == _pairs(everything)["facts"]
        assert joined.lineage.backward([0], to="other").count == 4
        assert joined.lineage.strategy.endswith(describe_pruned(["other"]))
