"""Cell kinds: what each says of itself holds when it runs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import whence
from whence.model.errors import BadQuery, UserError
from whence.notebook.cell import CellContext
from whence.notebook.run_cell import run_cell
from whence.notebook.scope import Names


def test_load_sql_and_lens_cells_make_datasets_that_know_each_other(ws: whence.Workspace, tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("team,points\nred,3\nblue,\nred,5\n", encoding="utf-8")
    ws.run_cell("load", source=str(file), name="points")
    ws.run_cell("impute", source="points", name="filled", column="points", method="constant", value=0)
    totals = ws.run_cell("sql", source="select team, sum(points) n from filled group by team", name="totals")
    rows = {row["team"]: number for number, row in enumerate(totals.to_arrow().to_pylist())}
    assert totals.lineage.backward([rows["red"]], to="points").ids.tolist() == [0, 2]
    assert totals.caveats.marks().column("n").to_pylist()[rows["blue"]] is True


def test_missing_and_unknown_parameters_are_named(ws: whence.Workspace) -> None:
    with pytest.raises(UserError, match="A sql cell needs source: the query"):
        ws.run_cell("sql", name="x")
    with pytest.raises(UserError, match="A sql cell has no parameter quelle"):
        ws.run_cell("sql", source="select 1", name="x", quelle="y")
    with pytest.raises(UserError, match=r"There is no cell kind magic\. Kinds: binarize, caveat"):
        ws.run_cell("magic")


def test_a_query_sees_the_versions_it_is_given_whatever_others_see_at_the_same_time(ws: whence.Workspace) -> None:
    old, new = (ws.create("t", [(number,)], schema="x int").record for number in (1, 2))
    hidden = ws.create("hidden", [(3,)], schema="x int").record
    engine, store = ws._context.engine, ws._context.store
    scopes = [{"t": old}, {"T": new}, {"t": new, "other": hidden}, {"t": old}]

    def read(number: int) -> tuple[int, str]:
        scope = Names(scopes[number % 4])
        result = run_cell(CellContext(store, engine, scope), "sql", {"source": "select x from T", "name": f"r{number}"})
        (made,) = result.datasets.values()
        return store.read(made, 0, 1).to_pylist()[0]["x"], ", ".join(result.reads or ()).lower()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read, range(12)))
    assert found == [(1, "t"), (2, "t"), (2, "t"), (1, "t")] * 3
    engine.sql("select * from hidden", {"hidden": hidden})
    with pytest.raises(BadQuery, match="There is no dataset hidden"):
        engine.sql("select * from hidden", {"t": old})


def test_a_query_that_computes_a_name_reads_what_the_name_means_now(ws: whence.Workspace) -> None:
    ws.create("my_parts", [(1,)], schema="x int")
    ws.sql("select x from my_parts", name="before")
    ws.create("my_parts", [(2,)], schema="x int")
    nb = ws.notebook("names")
    nb.append("parameters", source={"p": "parts"})
    cells = [
        nb.append("sql", source="select x from identifier('my_' || :p)", name="a"),
        nb.append("sql", source="with c as (from identifier('my_' 'parts')) select x from c", name="b"),
    ]
    nb.wait()
    assert [each.error for each in cells] == [None, None]
    assert [ws[name].to_arrow().to_pydict() for name in ("a", "b")] == [{"x": [2]}, {"x": [2]}]
    runs = [nb.state_of(each.id).run for each in cells]
    assert [None if run is None else set(run.reads) for run in runs] == [{"my_parts", "p"}, {"my_parts"}]
    ws.create("my_parts", [(3,)], schema="x int")
    assert [each.status for each in cells] == ["stale", "stale"]
