"""Python table functions of plain arguments and of a table; `test_table_argument.py` looks closer at the latter."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import Row
from pyspark.sql.functions import udtf
from pyspark.sql.udtf import UserDefinedTableFunction

import whence

ROWS = [(1, 10, "a"), (2, 20, "b"), (3, 30, "a"), (4, 40, "b")]


def table_function(cls: type, columns: str) -> UserDefinedTableFunction:
    made = udtf(cls, returnType=columns)
    assert isinstance(made, UserDefinedTableFunction)
    return made


def create(ws: whence.Workspace) -> None:
    """The table and the functions; classes of a module would have to be importable where Spark's workers run."""

    class Repeat:
        def eval(self, times: int) -> Iterator[tuple[int]]:
            yield from ((number,) for number in range(times))

    class Total:
        def __init__(self) -> None:
            self._total = 0

        def eval(self, row: Row) -> None:
            self._total += row["id"]

        def terminate(self) -> Iterator[tuple[int]]:
            yield (self._total,)

    ws.create("t", ROWS, schema="id int, x int, k string", cell_caveats=[(0, "x", "smudged")])
    ws.spark.udtf.register("repeat_", table_function(Repeat, "n: int"))
    ws.spark.udtf.register("total_", table_function(Total, "total: int"))


def test_a_table_function_of_values_comes_from_its_row(ws: whence.Workspace) -> None:
    create(ws)
    made = ws.sql("select id, n from t, lateral repeat_(id) order by id, n", name="made")
    assert made.lineage.exact
    assert [made.lineage.backward(row, to="t").ids.tolist() for row in range(10)] == [
        [id_ - 1] for id_ in (1, 2, 2, 3, 3, 3, 4, 4, 4, 4)
    ]


def test_a_table_function_of_a_table_comes_from_the_rows_of_its_partition(ws: whence.Workspace) -> None:
    create(ws)
    made = ws.sql("select * from total_(table(t) partition by k) order by total", name="made")
    assert made.to_arrow().to_pydict() == {"total": [4, 6]}
    assert made.lineage.exact
    assert [made.lineage.backward(row, to="t").ids.tolist() for row in range(2)] == [[0, 2], [1, 3]]
