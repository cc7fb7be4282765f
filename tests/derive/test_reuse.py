"""The same query over the same versions takes over what it gave before: rows, lineage, marks; anything else is run."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence
from whence.engine.engine import Engine
from whence.lineage.deferred_lineage import DeferredLineage

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

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
    """What was run, and what was found out later."""
    seen: list[str] = []

    def noted(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def noted_call(*args: object, **options: object) -> object:
            seen.append(name)
            return call(*args, **options)

        return noted_call

    monkeypatch.setattr(Engine, "run", noted("run", Engine.run))
    monkeypatch.setattr(DeferredLineage, "_find_arrays", noted("found", DeferredLineage._find_arrays))
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
    assert runs == ["run", "found"]
    assert everything(ws.sql(GROUPED, name="second")) == everything(first)
    assert runs == ["run", "found"]


def test_late_blocks_are_shared(ws: "Workspace", runs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whence.lineage.strategy.MANY_ROWS", 5)
    first = ws.sql(GROUPED, name="out")
    assert first.lineage.strategy.startswith("defer")
    first.lineage.wait()
    assert runs == ["run", "found"]
    second = ws.sql(GROUPED, name="second")
    second.lineage.wait()
    assert everything(second) == everything(first)
    assert runs == ["run", "found"]


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


def test_an_equal_frame_is_run_once(ws: "Workspace", runs: list[str]) -> None:
    def frame(least: int) -> "DataFrame":
        return ws["t"].df.where(F.col("x") > least).groupBy("k").agg(F.sum("x").alias("s"))

    first, again, other = (ws.dataset(frame(least), name="out") for least in (2, 2, 3))
    assert runs == ["run", "run"]
    assert again.lineage.strategy.startswith("taken over: out@1")
    assert everything(first) == everything(again) != everything(other)


@pytest.mark.parametrize(
    ("one", "other", "tries"),
    [
        ("cast('a' as int)", "try_cast('a' as int)", 2),
        ("x / 0.0", "try_divide(x, 0.0)", 3),  # x is in doubt, so what fails is tried once more with cautious marks
        ("k", "x", 2),
        ("1", "1L", 2),
        ("substr('abc', 1, 2)", "substr('abc', 1, 1)", 2),
        ("date_format(date'2024-01-01', 'y')", "date_format(date'2024-01-01', 'M')", 2),
    ],
)
def test_frames_that_differ_in_a_detail_are_both_run(
    ws: "Workspace", runs: list[str], one: str, other: str, tries: int
) -> None:
    for text in (one, other):
        with suppress(whence.WhenceError):  # that of the first is the point
            ws.dataset(ws["t"].df.selectExpr(f"{text} as v"), name="out")
    assert runs == ["run"] * tries


def test_frames_that_may_differ_by_nature_are_run_again(ws: "Workspace", runs: list[str]) -> None:
    double = F.udf(lambda x: 2 * x, "int")
    kinds: tuple[Callable[[], Column], ...] = (lambda: F.rand(), lambda: F.current_timestamp(), lambda: double("x"))
    for made in kinds:
        for _ in range(2):
            ws.dataset(ws["t"].df.select(made().alias("v")), name="out")
    assert runs == ["run"] * 6


def test_rows_of_another_question_make_another_query(ws: "Workspace", runs: list[str]) -> None:
    grouped = ws.sql(GROUPED, name="out")
    counts = [
        ws.sql("select count(*) c, sum(x) s from {r}", name="some", r=grouped.lineage.backward([row], to="t"))
        for row in (0, 1, 0)
    ]
    values = [each.to_arrow().to_pylist() for each in counts]
    assert values[0] == values[2] != values[1]
