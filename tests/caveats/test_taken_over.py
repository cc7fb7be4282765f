"""The same query over the same versions takes over what it gave before: rows, lineage, marks; anything else is run."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import whence
from whence.engine.engine import Engine

if TYPE_CHECKING:
    from whence import Dataset, Workspace

GROUPED = "select k, sum(x) as s, max(x) as top from t group by k"
JOINED = "select t.k, t.x, u.s from t left join u on t.k = u.k where t.x > 0"


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    ws.create("t", [(n % 3, n) for n in range(12)], schema="k int, x int", cell_caveats=[(4, "x", "smudged")])
    ws.create("u", [(0, "a"), (1, "b"), (1, "c")], schema="k int, s string")
    return ws


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Spark was asked to run, or to find out later."""
    seen: list[str] = []
    run, pairs = Engine.run, Engine.pairs
    monkeypatch.setattr(Engine, "run", lambda *args: seen.append("run") or run(*args))
    monkeypatch.setattr(Engine, "pairs", lambda *args, **given: seen.append("pairs") or pairs(*args, **given))
    return seen


def everything(ds: "Dataset") -> list[object]:
    """All that is known of a dataset's rows."""
    back = [[ds.lineage.backward([n], to=table).ids.tolist() for n in range(ds.count)] for table in sources(ds)]
    cell = ds.lineage.cell(0, ds.columns[0])
    return [ds.to_arrow().to_pylist(), back, ds.caveats.marks().to_pylist(), ds.caveats.row_set, cell]


def sources(ds: "Dataset") -> list[str]:
    return [name for name in ("t", "u") if name in ds.record.text.split()]


@pytest.mark.parametrize("text", [GROUPED, JOINED, f"{GROUPED} order by k limit 2", "select x from t limit 3"])
def test_the_same_query_is_captured_once(ws: "Workspace", runs: list[str], text: str) -> None:
    first = ws.sql(text, name="out")
    assert runs == ["run"]
    again, other = ws.sql(text, name="out"), ws.sql(text, name="other")
    assert (runs, again.version, other.version) == (["run"], 2, 1)
    assert again.lineage.exact
    assert again.lineage.strategy.startswith("taken over: out@1")
    assert other.lineage.strategy == again.lineage.strategy
    assert everything(first) == everything(again) == everything(other)
    groups = [[(each.message, each.count) for each in ds.caveats.list()] for ds in (first, again, other)]
    assert groups[0] == groups[1] == groups[2]


def test_it_is_known_again_after_reopening(ws: "Workspace", runs: list[str]) -> None:
    first = everything(ws.sql(GROUPED, name="out"))
    ws.close()
    with whence.open(ws.path) as reopened:
        assert everything(reopened.sql(GROUPED, name="later")) == first
        assert runs == ["run"]


def test_what_was_left_for_later_is_found_once(ws: "Workspace", runs: list[str]) -> None:
    first = ws.sql(GROUPED, name="out", lineage="lazy")
    first.lineage.wait()
    assert runs == ["run", "pairs"]
    assert everything(ws.sql(GROUPED, name="second")) == everything(first)
    assert runs == ["run", "pairs"]


def test_late_blocks_are_shared(ws: "Workspace", runs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whence.lineage.strategy.MANY_ROWS", 5)
    first = ws.sql(GROUPED, name="out")
    assert first.lineage.strategy.startswith("defer")
    first.lineage.wait()
    assert runs == ["run", "pairs"]
    second = ws.sql(GROUPED, name="second")
    second.lineage.wait()
    assert everything(second) == everything(first)
    assert runs == ["run", "pairs"]


@pytest.mark.parametrize(
    "text",
    [
        "select k, rand() as r from t",
        "select k, current_timestamp() as now from t",
        "select k, uuid() as id from t",
        "select * from t tablesample (50 percent)",
        "select k from t where x > (select avg(x) from t where rand() < 0.5)",
    ],
)
def test_what_may_differ_is_run_again(ws: "Workspace", runs: list[str], text: str) -> None:
    ws.sql(text, name="out")
    ws.sql(text, name="out")
    assert runs == ["run", "run"]


def test_other_versions_settings_and_marks_make_another_query(ws: "Workspace", runs: list[str]) -> None:
    text = "select k, x from t where x > 2"
    made = [ws.sql(text, name="out")]
    ws["t"].caveats.acknowledge("user")
    made.append(ws.sql(text, name="out"))
    assert [any(ds.caveats.marks().column("x").to_pylist()) for ds in made] == [False, False]
    ws["t"].caveats.revoke("user")
    assert [any(ds.caveats.marks().column("x").to_pylist()) for ds in made] == [True, True]
    ws.create("t", [(1, 5)], schema="k int, x int")
    made.append(ws.sql(text, name="out"))
    zone = ws.spark.conf.get("spark.sql.session.timeZone")
    ws.spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    made.append(ws.sql(text, name="out"))
    ws.spark.conf.set("spark.sql.session.timeZone", zone or "UTC")
    ws.capture.take_over(False)
    made.append(ws.sql(text, name="out"))
    ws.capture.take_over()
    made.append(ws.sql(text, name="out", lineage="inject"))
    assert runs == ["run"] * 6
    assert [ds.count for ds in made] == [9, 9, 1, 1, 1, 1]


def test_what_was_forgotten_or_damaged_is_not_taken_over(ws: "Workspace", runs: list[str]) -> None:
    ws.sql(GROUPED, name="out")
    ws.forget("out")
    second = ws.sql(GROUPED, name="out")
    assert runs == ["run", "run"]
    (part,) = Path(ws.path, "datasets", second.record.id, "rows").rglob("*.parquet")
    content = bytearray(part.read_bytes())
    content[len(content) // 3] ^= 1
    part.write_bytes(content)
    assert ws.sql(GROUPED, name="whole").to_arrow().num_rows == 3
    assert runs == ["run"] * 3


def test_forgetting_one_leaves_the_other_whole(ws: "Workspace") -> None:
    first, second = ws.sql(GROUPED, name="out"), ws.sql(GROUPED, name="second")
    known = everything(first)
    ws.forget("out")
    assert everything(second) == known
