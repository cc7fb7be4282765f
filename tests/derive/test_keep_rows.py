"""When rows of an input go, what was not made from them stays, and the query runs on few rows or not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
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


def test_forgetting_again_and_again_leaves_one_part_and_the_rows_of_each_group(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_keys, "ROWS", range(1, 1_000))
    fill(ws, {"towns": GROUPS["towns"]}, set())
    monkeypatch.setattr("whence.derive.draft.find_groups_by_keys", None)
    for each in (7, 40):
        ws.forget("people", where=f"id = {each}")
        assert len(ws._context.store.manifest(ws["towns"].record).parts) == 1
    towns, people = ws["towns"].to_arrow().to_pylist(), ws["people"].to_arrow().to_pylist()
    assert len(towns) == 20
    for row, town in enumerate(towns):
        there = [each for each, one in enumerate(people) if one["city"] == town["city"] and one["age"] > 2]
        assert ws["towns"].lineage.backward([row], to="people").ids.tolist() == there
        assert town["n"] == len(there)


def test_groups_whose_ids_travel_are_computed_again(ws: whence.Workspace, tmp_path: Path, runs: list[str]) -> None:
    assert forget(ws, tmp_path, runs, GROUPS) == ["each"]


PLAIN = {
    "stats": "select town, count(age) n, min(age) low, max(age) high, sum(age) total, avg(age) mean from guests "
    "where age > 3 group by town",
    "ages": "select town, count(age) n, count(*) m, sum(age) total, avg(age) mean, max(name) last from guests "
    "where age between -3 and 60 group by town",
    "days": "select day, came, count(*) n, min(name) first, max(price) most, min(came) c from guests "
    "group by day, came",
    "most": "select town t, n, mean from ages order by n desc, t limit 3",
    "late": "select name, age from guests where id > 5 order by day desc nulls last, name limit 7",
    "oldest": "select id from guests order by age desc, town nulls first, name desc limit 100",
    "nobody": "select town, sum(age) n from guests where age > 1000 group by town",
}
RUN_BY_SPARK = {
    "tied": "select name from guests order by town limit 5",
    "huge": "select town, sum(large) n from guests group by town",
    "shares": "select town, sum(share) n from guests group by town",
    "computed": "select town, sum(age + 1) n from guests group by town",
    "several": "select town, count(distinct age) n, sum(age) filter (where came) m from guests group by town",
    "either": "select town, count(*) n from guests where age > 3 or age is null group by town",
    "total": "select count(*) n, sum(age) m from guests",
}
GUESTS = (
    "id int, name string, town string, age int, day date, came boolean, price decimal(8,2), large bigint, share double"
)


def fill_guests(ws: whence.Workspace, queries: dict[str, str], gone: set[int], seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = []
    for each in range(80):
        age, town, day = (int(draw.integers(0, most)) for most in (75, 9, 12))
        rows.append(
            (
                each,
                f"{'éß~Az'[each % 5]}{each}",
                None if town == 8 else f"town {town}",
                None if age > 70 or town == 7 else age - 5,
                None if day == 11 else date(1960 + 7 * day, 2, 3),
                (True, False, None)[age % 3],
                Decimal(age * 17 - 300) / 4,
                2**52 - age,
                age / 7,
            )
        )
    ws.create("guests", [row for row in rows if row[0] not in gone], schema=GUESTS)
    for name, text in queries.items():
        ws.sql(text, name=name)


@pytest.mark.parametrize("seed", range(4))
def test_plain_queries_are_answered_without_spark(
    ws: whence.Workspace, tmp_path: Path, runs: list[str], seed: int
) -> None:
    queries = {**PLAIN, **RUN_BY_SPARK}
    fill_guests(ws, queries, set(), seed)
    runs.clear()
    gone = set(np.random.default_rng(seed + 100).choice(80, 3, replace=False).tolist())
    ws.forget("guests", where=f"id in ({', '.join(map(str, gone))})")
    assert set(runs) <= set(RUN_BY_SPARK)
    assert set(runs) >= set(RUN_BY_SPARK) - {"tied"}
    with whence.open(tmp_path / "never.whence") as never:
        fill_guests(never, queries, gone, seed)
        for name in (*PLAIN, "huge", "shares", "computed", "several", "either", "total"):
            assert look(ws[name]) == look(never[name]), name
            assert ws[name].record.schema == never[name].record.schema
        for name in ("most", "late", "oldest"):
            assert ws[name].to_arrow().equals(never[name].to_arrow()), name


def test_what_other_rows_decide_about_is_run_again(
    ws: whence.Workspace, tmp_path: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_keys, "ROWS", range(1, 1_000))
    assert set(forget(ws, tmp_path, runs, {**GROUPS, **OTHERS})) >= set(OTHERS) - {"lands", "both", "few", "sizes"}


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
