"""Python table functions of a TABLE argument: exact to the row where it makes its rows alone, else to what came before.

The oracle is in the tests: for each function a plain definition of which rows of a partition are behind each row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql.functions import udtf
from pyspark.sql.udtf import SkipRestOfInputTableException, UserDefinedTableFunction

import whence
from whence.model.errors import BadQuery

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("ws")]

Rows = list[tuple[int, int, str]]
Made = Sequence[tuple[tuple[object, ...], list[int]]]
"""What comes out for a partition, and the ids of the rows behind each."""

T: Rows = [(n, Random(n).randrange(4), "abc"[n % 3]) for n in range(14)]


def functions() -> dict[str, type]:  # noqa: C901 - small classes
    """The classes; those of a module would have to be importable where Spark's workers run."""

    class Twice:
        def eval(self, row: Row) -> Iterator[tuple[int, int]]:
            for each in range(row["x"]):
                yield row["id"], each

    class NotSeenBefore:
        def __init__(self) -> None:
            self._seen: set[int] = set()

        def eval(self, row: Row) -> Iterator[tuple[int, int]]:
            if row["x"] not in self._seen:
                self._seen.add(row["x"])
                yield row["id"], row["x"]

    class Running:
        def __init__(self) -> None:
            self._sum = 0

        def eval(self, row: Row) -> Iterator[tuple[int, int]]:
            self._sum += 1 + row["x"]
            yield row["id"], self._sum

    class Total:
        def __init__(self) -> None:
            self._sum = 0

        def eval(self, row: Row) -> None:
            self._sum += row["x"]

        def terminate(self) -> Iterator[tuple[int, int]]:
            yield -1, self._sum

    class Both:
        def __init__(self) -> None:
            self._rows: list[Row] = []

        def eval(self, row: Row) -> list[list[int]]:
            self._rows.append(row)
            return [[row["id"], row["x"]]]

        def terminate(self) -> Iterator[Row]:
            for row in self._rows:
                yield Row(id=row["id"], x=-row["x"])

    class FirstTwo:
        def __init__(self) -> None:
            self._count = 0

        def eval(self, row: Row) -> Iterator[tuple[int, int]]:
            self._count += 1
            yield row["id"], 0
            if self._count == 2:
                raise SkipRestOfInputTableException

    return {each.__name__: each for each in (Twice, NotSeenBefore, Running, Total, Both, FirstTwo)}


def _total(rows: Rows) -> Made:
    return [((-1, sum(x for _, x, _ in rows)), [number for number, *_ in rows])]


def _running(rows: Rows) -> Made:
    return [
        ((number, sum(1 + x for _, x, _ in rows[: place + 1])), [each for each, *_ in rows[: place + 1]])
        for place, (number, *_) in enumerate(rows)
    ]


DEFINITIONS: dict[str, Callable[[Rows], Made]] = {
    "Twice": lambda rows: [((number, each), [number]) for number, x, _ in rows for each in range(x)],
    "NotSeenBefore": lambda rows: [
        ((number, x), [number])
        for place, (number, x, _) in enumerate(rows)
        if x not in [earlier for _, earlier, _ in rows[:place]]
    ],
    "Running": _running,
    "Total": _total,
    "Both": lambda rows: (
        [((number, x), [number]) for number, x, _ in rows]
        + [((number, -x), [each for each, *_ in rows]) for number, x, _ in rows]
    ),
    "FirstTwo": lambda rows: [((number, 0), [number]) for number, *_ in rows[:2]],
}
CLAUSES = {
    "partition by k order by id": ("k", 1),
    "partition by (k, x % 2) order by id desc": ("kx", -1),
    "with single partition order by id": ("", 1),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("tables") / "tables.whence") as ws:
        ws.create("t", T, schema="id int, x int, k string")
        for name, cls in functions().items():
            for uses_arrow in (True, False):
                register(ws, f"{name}_{uses_arrow}", cls, uses_arrow=uses_arrow)
        yield ws


def register(
    ws: whence.Workspace, name: str, cls: type, columns: str = "id: int, y: int", *, uses_arrow: bool = True
) -> None:
    made = udtf(cls, returnType=columns, useArrow=uses_arrow)
    assert isinstance(made, UserDefinedTableFunction)
    ws.spark.udtf.register(name, made)


def by_definition(name: str, clause: str) -> list[str]:
    keys, direction = CLAUSES[clause]
    partitions: dict[object, Rows] = {}
    for row in sorted(T, key=lambda row: direction * row[0]):
        partitions.setdefault((row[2] if "k" in keys else "", row[1] % 2 if "x" in keys else 0), []).append(row)
    made = [each for rows in partitions.values() for each in DEFINITIONS[name](rows)]
    return sorted(f"{values} {sorted(behind)}" for values, behind in made)


def traced(made: whence.Dataset, to: str = "t") -> list[str]:
    rows = made.to_arrow().to_pylist()
    return sorted(
        f"{tuple(row.values())} {sorted(made.lineage.backward([n], to=to).ids.tolist())}" for n, row in enumerate(rows)
    )


@pytest.mark.parametrize("uses_arrow", [True, False], ids=["arrow", "pickled"])
@pytest.mark.parametrize("clause", CLAUSES)
def test_rows_come_from_the_rows_that_the_definition_names(
    tables: whence.Workspace, clause: str, uses_arrow: bool
) -> None:
    for name in DEFINITIONS:
        if name == "FirstTwo" and "single" in clause:
            continue  # Spark itself ends such a task without what the last call made
        query = f"select * from {name}_{uses_arrow}(table(t) {clause})"
        made = tables.sql(query, name="made")
        assert made.lineage.exact, (query, made.lineage.strategy)
        assert "were observed" in made.lineage.strategy
        assert traced(made) == by_definition(name, clause), query


def test_without_a_partition_clause_each_row_counts_alone(tables: whence.Workspace) -> None:
    made = tables.sql("select y, id from Twice_True(table(t)) where y > 0", name="made")
    assert made.lineage.exact
    rows = made.to_arrow().to_pylist()
    assert len(rows) == sum(max(0, x - 1) for _, x, _ in T)
    assert [made.lineage.backward([n], to="t").ids.tolist() for n in range(made.count)] == [[r["id"]] for r in rows]
    assert made.lineage.backward([0], to="t", influence=True).ids.tolist() == list(range(len(T)))


def test_the_rows_are_those_that_spark_makes_alone(tables: whence.Workspace) -> None:
    for name in functions():
        query = f"select * from {name}_True(table(t) partition by k order by id)"
        plain = sorted(map(repr, tables.spark.sql(query).toArrow().to_pylist()))
        assert sorted(map(repr, tables.sql(query, name="made").to_arrow().to_pylist())) == plain


@pytest.mark.parametrize("uses_arrow", [True, False], ids=["arrow", "pickled"])
def test_lists_that_a_function_fills_or_changes_are_those_that_spark_sends(
    tables: whence.Workspace, uses_arrow: bool
) -> None:
    class FillsOneList:
        def __init__(self) -> None:
            self._seen: list[int] = []

        def eval(self, row: Row) -> Iterator[tuple[int, list[int]]]:
            self._seen.append(row["id"])
            yield row["id"], self._seen

        def terminate(self) -> Iterator[tuple[int, list[int]]]:
            self._seen.append(-1)
            yield -1, self._seen

    class ChangesWhatItGets:
        def eval(self, row: Row) -> Iterator[tuple[int, list[int]]]:
            row["ids"].append(-1)
            yield len(row["ids"]), row["ids"]

    tables.sql("select k, id, array(id, x) as ids from t", name="lists")
    for cls in (FillsOneList, ChangesWhatItGets):
        register(tables, cls.__name__, cls, "n: int, ids: array<int>", uses_arrow=uses_arrow)
        query = f"select * from {cls.__name__}(table(lists) partition by k order by id)"
        tables["lists"].df.createOrReplaceTempView("lists")
        plain = sorted(map(repr, tables.spark.sql(query).toArrow().to_pylist()))
        made = tables.sql(query, name="made")
        assert sorted(map(repr, made.to_arrow().to_pylist())) == plain
        assert made.lineage.exact, made.lineage.strategy
        behind = [made.lineage.backward([n], to="lists").count for n in range(made.count)]
        assert (max(behind) == 1) == (cls is ChangesWhatItGets)


def test_joins_groups_and_other_arguments_carry_on(tables: whence.Workspace) -> None:
    class Times:
        def eval(self, row: Row, times: int, add: int = 0) -> Iterator[tuple[str, int]]:
            yield row["k"], row["n"] * times + add

    register(tables, "times_", Times, "k: string, n: int")
    tables.create("u", [("a", 1), ("b", 2), ("z", 3)], schema="k string, w int")
    groups = tables.sql(
        "select * from times_(table(select k, int(count(*)) as n from t group by k), 10, add => 1)", name="groups"
    )
    assert groups.lineage.exact, groups.lineage.strategy
    for n, row in enumerate(groups.to_arrow().to_pylist()):
        behind = [number for number, _, k in T if k == row["k"]]
        assert row["n"] == 10 * len(behind) + 1
        assert groups.lineage.backward([n], to="t").ids.tolist() == behind
    pairs = tables.sql(
        "select m.* from times_(table(select t.k, t.id as n from t left join u on t.k = u.k), 1) m order by n",
        name="pairs",
    )
    assert pairs.lineage.exact, pairs.lineage.strategy
    for n, row in enumerate(pairs.to_arrow().to_pylist()):
        assert pairs.lineage.backward([n], to="t").ids.tolist() == [row["n"]]
        assert pairs.lineage.backward([n], to="u").ids.tolist() == {"a": [0], "b": [1], "c": []}[row["k"]]
    above = tables.sql("select k, sum(n) as s from times_(table(select k, id as n from t), 1) group by k", name="above")
    assert above.lineage.exact
    for n, row in enumerate(above.to_arrow().to_pylist()):
        assert above.lineage.backward([n], to="t").ids.tolist() == [number for number, _, k in T if k == row["k"]]


def test_a_function_that_analyses_its_arguments_gets_its_result(tables: whence.Workspace) -> None:
    from pyspark.sql.types import IntegerType, StructType
    from pyspark.sql.udtf import AnalyzeArgument, AnalyzeResult, PartitioningColumn

    class Analysed:
        def __init__(self, result: AnalyzeResult) -> None:
            self._width = len(result.schema)
            self._sum = 0

        @staticmethod
        def analyze(row: AnalyzeArgument) -> AnalyzeResult:
            return AnalyzeResult(StructType().add("s", IntegerType()), partitionBy=[PartitioningColumn("k")])

        def eval(self, row: Row) -> None:
            self._sum += row["id"]

        def terminate(self) -> Iterator[tuple[int]]:
            yield (self._sum * self._width,)

    made = udtf(Analysed)
    assert isinstance(made, UserDefinedTableFunction)
    tables.spark.udtf.register("analysed", made)
    sums = tables.sql("select * from analysed(table(t))", name="sums")
    assert sums.lineage.exact, sums.lineage.strategy
    groups = [[number for number, _, k in T if k == key] for key in "abc"]
    assert traced(sums) == sorted(f"({sum(group)},) {group}" for group in groups)


def test_everything_is_in_doubt_if_something_is(tables: whence.Workspace) -> None:
    tables.create("v", T, schema="id int, x int, k string", cell_caveats=[(0, "x", "smudged")])
    made = tables.sql("select * from Running_True(table(v) partition by k order by id)", name="doubted")
    assert made.lineage.exact
    assert made.caveats.row_set
    assert all(all(mark.values()) for mark in made.caveats.marks().to_pylist())
    certain = tables.sql("select * from Running_True(table(t) partition by k order by id)", name="certain")
    assert not certain.caveats.row_set


def test_what_cannot_be_observed_is_coarse_and_says_why(tables: whence.Workspace) -> None:
    class OneRowIsTooFew:
        def eval(self, row: Row) -> Iterator[tuple[int, int]]:
            yield {"id": row["id"], "y": 1}  # type: ignore[misc]

    register(tables, "by_name", OneRowIsTooFew, uses_arrow=False)
    named = tables.sql("select * from by_name(table(t))", name="named")
    assert not named.lineage.exact
    assert "a Python table function that makes rows of no fixed order" in named.lineage.strategy
    tables.sql("select int(id) as id, int(id) as x from range(3000)", name="many")
    running = tables.sql("select * from Running_True(table(many) with single partition)", name="running")
    assert (running.count, running.lineage.exact) == (3000, False)
    assert "whose rows stand for more than 1,000,000 rows" in running.lineage.strategy
    pairs = "select a.id, a.x from many a cross join many b where b.id < 1"
    wide = tables.sql(f"select * from Running_True(table({pairs}))", name="wide")
    assert "of perhaps more than 100,000 rows" in wide.lineage.strategy


def test_what_the_function_does_wrong_is_said(tables: whence.Workspace) -> None:
    class Fails:
        def eval(self, row: Row) -> Iterator[tuple[int, int]]:
            raise ValueError("this is my mistake")
            yield 1, 2

    class TooWide:
        def eval(self, row: Row) -> Iterator[Any]:
            yield 1, 2, 3

    register(tables, "fails_", Fails)
    register(tables, "too_wide", TooWide)
    with pytest.raises(BadQuery, match="this is my mistake"):
        tables.sql("select * from fails_(table(t))", name="made")
    with pytest.raises(BadQuery, match="3"):
        tables.sql("select * from too_wide(table(t))", name="made")
