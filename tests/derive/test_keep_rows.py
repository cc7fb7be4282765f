"""When rows of an input go, what was not made from them stays, and the query runs on few rows or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import whence
from tests.workspace.test_forget_rows_random import look
from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.derive.run_rewritten import run_rewritten
from whence.lineage import by_keys

ROW_BY_ROW = {
    "grown": "select name, age + 1 older from people where age > 12",
    "first": "select name from grown where older < 60",
    "pairs": "select p.name, c.land from people p join cities c on p.city = c.city",
    "same": "select a.name, b.name other from people a join people b on a.age = b.age and a.id < b.id",
    "sorted": "select name, age from people where age is not null order by age desc, name",
}
GROUPS = {
    "towns": "select city, count(*) n, max(name) last, sum(age) total from people where age > 2 group by city",
    "each": "select distinct city from people",
}
OTHERS = {
    "busy": "select city, count(*) n from people group by city having count(*) < 4",
    "few": "select name from people order by age, id limit 5",
    "ranks": "select name, row_number() over (partition by city order by id) place from people",
    "lands": "select c.land, p.name from cities c left join people p on p.city = c.city and p.age > 50",
    "all": "select count(*) n from people",
    "both": "select name from people union all select land from cities",
    "sizes": "select n, count(*) k from towns group by n",
    "missing": "select city from cities except select city from people",
}
GONE = {7, 40, 41}


def fill(ws: whence.Workspace, queries: dict[str, str], gone: set[int]) -> None:
    draw = np.random.default_rng(5)
    rows = [(each, f"n{each}", f"city {each % 20}", int(draw.integers(0, 70))) for each in range(60)]
    ws.create("people", [row for row in rows if row[0] not in gone], schema="id int, name string, city string, age int")
    cities = [(f"city {each}", f"land {each % 3}") for each in range(0, 24, 2)]
    ws.create("cities", cities, schema="city string, land string")
    for name, text in queries.items():
        ws.sql(text, name=name)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The datasets for which a whole query ran."""
    seen: list[str] = []

    def noted(run: Callable[[DeriveContext, Derivation], Derivation]) -> Callable[..., Derivation]:
        def noted_run(context: DeriveContext, derivation: Derivation) -> Derivation:
            seen.append(derivation.request.name)
            return run(context, derivation)

        return noted_run

    monkeypatch.setattr("whence.derive.derive.run_rewritten", noted(run_rewritten))
    return seen


def forget(ws: whence.Workspace, folder: Path, runs: list[str], queries: dict[str, str]) -> list[str]:
    """Forget rows, compare with a workspace that never had them, and return for which datasets the query ran."""
    fill(ws, queries, set())
    runs.clear()
    certificate = ws.forget("people", where=f"id in ({', '.join(map(str, GONE))})")
    ran = list(runs)
    assert certificate.made_again == tuple(f"{name}@1" for name in queries)
    with whence.open(folder / "never.whence") as never:
        fill(never, queries, GONE)
        for name in queries:
            assert look(ws[name]) == look(never[name]), name
    return ran


def test_rows_of_filters_and_joins_stay_without_a_run(ws: whence.Workspace, tmp_path: Path, runs: list[str]) -> None:
    assert forget(ws, tmp_path, runs, ROW_BY_ROW) == []
    ages = ws["sorted"].to_arrow().column("age").to_pylist()
    assert ages == sorted(ages, reverse=True)


def test_only_touched_groups_are_computed_again(
    ws: whence.Workspace, tmp_path: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_keys, "ROWS", range(1, 1_000))
    assert forget(ws, tmp_path, runs, GROUPS) == []


def test_groups_whose_ids_travel_are_computed_again(ws: whence.Workspace, tmp_path: Path, runs: list[str]) -> None:
    assert set(forget(ws, tmp_path, runs, GROUPS)) == set(GROUPS)


def test_what_other_rows_decide_about_is_run_again(
    ws: whence.Workspace, tmp_path: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_keys, "ROWS", range(1, 1_000))
    assert set(forget(ws, tmp_path, runs, {**GROUPS, **OTHERS})) >= set(OTHERS) - {"lands", "both"}


def test_doubts_of_rows_that_stay_are_kept(ws: whence.Workspace, runs: list[str]) -> None:
    doubts = [(0, "age", "guessed"), (2, "age", "smudged")]
    ws.create("people", [(n, n * 10) for n in range(5)], schema="id int, age int", cell_caveats=doubts)
    ws.sql("select age + 1 older from people where id <> 4", name="older")
    runs.clear()
    ws.forget("people", where="id = 0")
    assert runs == []
    assert ws["older"].caveats.marks().column("older").to_pylist() == [False, True, False]
    assert [each.message for group in ws["older"].caveats.list() for each in group.references] == ["smudged"]
    ws.forget("people", where="id = 2")
    assert ws["older"].caveats.marks().column("older").to_pylist() == [False, False]


def test_marks_that_a_check_takes_back_are_gone_below_it(ws: whence.Workspace, tmp_path: Path, runs: list[str]) -> None:
    def fill_checked(ws: whence.Workspace, rows: list[tuple[int, str]]) -> None:
        ws.create("people", rows, schema="id int, name string")
        ws.expect("people", [whence.Check("key", "id")], name="checked")
        ws.sql("select id from checked", name="ids")

    rows = [(1, "Ada"), (1, "Bob"), (2, "Cy")]
    fill_checked(ws, rows)
    assert [any(marks.values()) for marks in ws["ids"].caveats.marks().to_pylist()] == [True, True, False]
    runs.clear()
    ws.forget("people", where="name = 'Ada'")
    assert runs.count("ids") == 1
    with whence.open(tmp_path / "never.whence") as never:
        fill_checked(never, rows[1:])
        marks = [each["ids"].caveats.marks().to_pylist() for each in (ws, never)]
        assert marks[0] == marks[1]
