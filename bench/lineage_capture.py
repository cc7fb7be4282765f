"""What capturing lineage costs a query: the paper's micro-benchmarks and four queries of TPC-H, with peers.

Every contender writes its result as zstd Parquet, planning included. `inject` and `defer` are whence's two ways; of
`defer` the time until the rows are there and the time until the block is on the disk are told apart. Peers: rewriting
after Perm (the result joined back with its input on the group keys), `collect_list` of row ids, and DuckDB's
`list(rowid)` over the same Parquet files. `WHENCE_BENCH_SCALE` sets TPC-H's scale factor (default 1),
`WHENCE_BENCH_ROWS` the rows of the micro-benchmarks (default 1,000,000), `WHENCE_BENCH_ONLY` picks workloads by name.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession

import whence
from bench._tpch import generate_tables, query_text
from whence.cli.bench import SEED, Report

SCALE = os.environ.get("WHENCE_BENCH_SCALE", "1")
ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "1_000_000"))
ONLY = os.environ.get("WHENCE_BENCH_ONLY", "")
TABLES = ("lineitem", "orders", "customer", "nation")
NUMBERS = count()

Action = Callable[[], object]


@dataclass(frozen=True)
class Workload:
    """A query, the tables it reads, and for a group-by the keys that its result shows."""

    name: str
    query: str
    tables: tuple[str, ...]
    keys: tuple[str, ...] = ()

    @property
    def ids(self) -> str:
        """The row ids of all tables, as the peers call them."""
        return ", ".join(f"{table}_rid" for table in self.tables)

    def with_ids(self, expression: str) -> str:
        """The query showing one more column."""
        return self.query.replace("\nfrom", f", {expression} as ids\nfrom", 1)

    def members(self) -> str:
        """What the query groups: its keys and row ids, without order and limit."""
        start, end = self.query.index("\nfrom"), self.query.index("\ngroup by")
        return f"select {', '.join(self.keys)}, {self.ids} {self.query[start:end]}"


def run(repeats: int) -> Report:
    """Time every workload."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name, ExitStack() as closing:
        bench = _Bench(Path(name), closing)
        rows = [bench.measured(workload, repeats) for workload in bench.workloads() if ONLY in workload.name]
    return {"question": f"TPC-H scale {SCALE}, micro-benchmarks over {ROWS:,} rows: times in ms", "rows": rows}


class _Bench:
    def __init__(self, folder: Path, closing: ExitStack) -> None:
        self._folder = folder
        self._workspace = closing.enter_context(whence.open(folder / "capture.whence"))
        self._plain = self._workspace.spark.newSession()
        self._with_ids = self._workspace.spark.newSession()
        self._duck = duckdb.connect()
        self._duck.execute("set threads = 2")

    def workloads(self) -> Iterator[Workload]:
        """Each with its data loaded."""
        for groups in (100, 5_000, 100_000):
            table = f"zipf{groups}"
            self._create(table, skewed(ROWS, groups, theta=1.0))
            query = f"select k, count(*) n, sum(v) s, sum(v * v) ss, min(v) lo, max(v) hi\nfrom {table}\ngroup by k"
            yield Workload(f"group-by, {groups:,} groups", query, (table,), ("k",))
        self._create("fact", skewed(ROWS, 10_000, theta=1.0))
        self._create("dim", pa.table({"id": np.arange(10_000, dtype=np.int32), "label": np.arange(10_000) * 7}))
        yield Workload("pk-fk join", "select k, v, label\nfrom fact join dim on k = id", ("fact", "dim"))
        self._create("many_a", skewed(ROWS // 100, 100, theta=0.4))
        self._create("many_b", skewed(ROWS // 100, 100, theta=0.4).rename_columns(["j", "w"]))
        yield Workload("m:n join", "select k, v, w\nfrom many_a join many_b on k = j", ("many_a", "many_b"))
        yield from self._tpch()

    def _tpch(self) -> Iterator[Workload]:
        folder = self._folder / "tpch"
        generate_tables(folder, SCALE, TABLES)
        for table in TABLES:
            self._workspace.load(folder / f"{table}.parquet", name=table)
            self._name(table)
        keys = {
            "q01": ("l_returnflag", "l_linestatus"),
            "q03": ("l_orderkey", "o_orderdate", "o_shippriority"),
            "q10": ("c_custkey", "c_name", "c_acctbal", "c_phone", "n_name", "c_address", "c_comment"),
            "q12": ("l_shipmode",),
        }
        read = {
            "q01": ("lineitem",),
            "q03": ("customer", "orders", "lineitem"),
            "q10": ("customer", "orders", "lineitem", "nation"),
            "q12": ("orders", "lineitem"),
        }
        for number in keys:
            query = query_text(number)
            yield Workload(f"TPC-H Q{int(number[1:])}", query, read[number], keys[number])

    def _create(self, name: str, table: pa.Table) -> None:
        self._workspace.create(name, table)
        self._name(name)

    def _name(self, name: str) -> None:
        """The same table for every contender; the peers' rows have an id column, as cheap as Spark and DuckDB can."""
        dataset = self._workspace[name]
        files = str(self._workspace.path / "datasets" / dataset.record.id / "rows" / "*" / "*.parquet")
        columns = ", ".join(f'"{column}"' for column in dataset.columns)
        shown = ", ".join(f"`{column}`" for column in dataset.columns)
        for session, more in ((self._plain, ""), (self._with_ids, f", monotonically_increasing_id() as {name}_rid")):
            rows = f"select {shown}{more} from parquet.`{Path(files).parents[1]}`"
            session.sql(f"create or replace temporary view {name} as {rows}")
        self._duck.execute(
            f"create or replace view {name} as select {columns}, file_row_number as {name}_rid "
            f"from read_parquet('{files}', file_row_number = true)"
        )

    def measured(self, workload: Workload, repeats: int) -> Report:
        """Medians over rounds of shuffled order, after a warm-up."""
        actions = self._actions(workload)
        for _ in range(2):
            for action in actions.values():
                action()
        times: dict[str, list[float]] = {name: [] for name in actions}
        order, shuffle = list(actions), random.Random(SEED).shuffle
        for _ in range(repeats):
            shuffle(order)
            for name in order:
                start = time.perf_counter()
                later = actions[name]()
                times[name].append(1000 * (time.perf_counter() - start))
                if callable(later):
                    later()
                    times.setdefault(f"{name} whole", []).append(1000 * (time.perf_counter() - start))
        medians = {name: statistics.median(taken) for name, taken in times.items()}
        plain = medians["spark"]
        shown: Report = {"workload": workload.name, "spark_ms": plain}
        for name in ("inject", "defer", "defer whole", "perm", "collect_list", "duckdb"):
            shown[f"{name} x" if name != "duckdb" else "duckdb_ms"] = (
                None if name not in medians else medians[name] if name == "duckdb" else medians[name] / plain
            )
        return shown

    def _actions(self, workload: Workload) -> dict[str, Action]:
        text, workspace = workload.query, self._workspace
        actions: dict[str, Action] = {
            "spark": lambda: self._write(self._plain, text),
            "inject": lambda: workspace.sql(text, name="inject", lineage="inject"),
        }
        if not workload.keys:
            joined = text.replace("\nfrom", f", {workload.ids}\nfrom", 1)
            return actions | {"duckdb": lambda: self._copy(joined)}
        same = " and ".join(f"q.{key} <=> m.{key}" for key in workload.keys)
        ids = ", ".join(f"m.{table}_rid" for table in workload.tables)
        perm = f"select q.*, {ids} from ({text}) q join ({workload.members()}) m on {same}"
        collected = workload.with_ids(f"collect_list(struct({workload.ids}))")
        fields = ", ".join(f"'{table}': {table}_rid" for table in workload.tables)
        listed = workload.with_ids(f"list({{{fields}}})")
        return actions | {
            "defer": lambda: workspace.sql(text, name="defer", lineage="defer").lineage.wait,
            "perm": lambda: self._write(self._with_ids, perm),
            "collect_list": lambda: self._write(self._with_ids, collected),
            "duckdb": lambda: self._copy(listed),
        }

    def _write(self, session: SparkSession, text: str) -> None:
        folder = self._folder / f"plain-{next(NUMBERS)}"
        session.sql(text).write.option("compression", "zstd").parquet(str(folder))

    def _copy(self, text: str) -> None:
        path = self._folder / f"duck-{next(NUMBERS)}.parquet"
        self._duck.execute(f"copy ({text}) to '{path}' (format parquet, compression zstd)")


def skewed(rows: int, groups: int, theta: float) -> pa.Table:
    """Keys drawn by a Zipf law over the groups, values uniform in 0..100, as in Smoke's micro-benchmarks."""
    generator = np.random.default_rng(7)
    weights = 1.0 / np.arange(1, groups + 1) ** theta
    keys = generator.choice(groups, size=rows, p=weights / weights.sum())
    return pa.table({"k": keys.astype(np.int32), "v": generator.uniform(0, 100, rows)})
