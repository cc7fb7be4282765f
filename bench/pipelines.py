"""What knowing the history of every value costs: the paper's pipelines and single operations, against plain Spark.

WHENCE_SHARED_DATA names a folder that holds compas and census; without it only German credit runs. WHENCE_BENCH_ROWS
lists the sizes of the scaled table (default those of the paper's Table 7).
"""

from __future__ import annotations

import os
import runpy
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence
from whence.cli.bench import Report
from whence.store.usage import ids_beside_rows

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "pipelines"
SIZES = [int(each) for each in os.environ.get("WHENCE_BENCH_ROWS", "390978,650412,1171107").split(",") if each]
COLUMNS = 45
PAPER_MB = {
    "FS": (77, 128, 231), "FT": (418, 696, 1300), "I": (214, 357, 644),
    "ST": (342, 568, 1023), "IG": (73, 121, 217), "VT": (0.576, 2.2, 2.9),
}  # fmt: skip
"""Table 9: what the prototype stores for each operation, by dataset."""

Plain = Callable[[DataFrame], DataFrame]


def run(repeats: int) -> Report:
    """One row for each pipeline, then one for each operation and size."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, whence.open(f"{folder}/w.whence") as ws:
        assert ws.spark is not None
        place = Path(folder)
        rows = [_pipeline(ws, place, *each, repeats) for each in _pipelines(ws)]
        for number, size in enumerate(SIZES):
            rows += _operations(ws, place, size, number, max(1, repeats // 3))
    return {
        "question": "Pipelines and operations with the history of every value, against the same in plain Spark (ms)",
        "rows": rows,
        "facts": {"columns of the scaled table": COLUMNS},
    }


def _pipelines(ws: whence.Workspace) -> list[tuple[str, whence.Dataset, Callable[..., whence.Pipeline], Plain]]:
    german = runpy.run_path(str(EXAMPLES / "german_credit.py"), run_name="example")
    data = ws.load(EXAMPLES / "german.csv", name="german")
    found = [
        ("German credit", data, german["prepare"], lambda df: _plain_german(df, german["WORDS"], german["ENCODED"]))
    ]
    folder = os.environ.get("WHENCE_SHARED_DATA")
    if folder is not None:
        compas = runpy.run_path(str(EXAMPLES / "compas.py"), run_name="example")
        data = ws.load(Path(folder) / "compas" / "compas.csv", name="compas")
        found.append(
            ("COMPAS", data, compas["prepare"], lambda df: _plain_compas(df, compas["CHOSEN"], compas["DAYS"]))
        )
        census = runpy.run_path(str(EXAMPLES / "census.py"), run_name="example")
        data = census["load"](ws, Path(folder) / "census" / "census.csv")
        found.append(("Census", data, census["prepare"], lambda df: _plain_census(df, census["TEXTS"])))
    return found


def _encoded(df: DataFrame, columns: list[str]) -> DataFrame:
    values = df.agg(
        *(F.sort_array(F.collect_set(F.col(f"`{name}`"))).alias(str(n)) for n, name in enumerate(columns))
    ).first()
    assert values is not None
    new = [
        F.coalesce((F.col(f"`{name}`") == value).cast("int"), F.lit(0)).alias(f"{name}_{value}")
        for n, name in enumerate(columns)
        for value in values[n]
    ]
    return df.select(*(F.col(f"`{name}`") for name in df.columns if name not in columns), *new)


def _plain_german(df: DataFrame, words: dict[str, dict[object, object]], encoded: list[str]) -> DataFrame:
    for name, mapping in words.items():
        cases = " ".join(f"when {name} = {old!r} then {new!r}" for old, new in mapping.items())
        df = df.withColumn(name, F.expr(f"case {cases} else {name} end"))
    status = "case personal_status when 'A91' then 'divorced' when 'A93' then 'single' else 'married' end"
    gender = "if(personal_status in ('A92', 'A95'), 'female', 'male')"
    df = df.withColumns({"status": F.expr(status), "gender": F.expr(gender)}).drop("personal_status")
    return _encoded(df, encoded)


def _plain_compas(df: DataFrame, chosen: list[str], days: str) -> DataFrame:
    df = df.select(*chosen).dropna()
    df = df.withColumn("race", F.expr("cast(race = 'Caucasian' as int)"))
    df = df.withColumn("two_year_recid", F.expr("1 - two_year_recid"))
    df = df.withColumn("jailtime", F.expr(days)).drop("c_jail_in", "c_jail_out")
    return df.withColumn("c_charge_degree", F.expr("cast(c_charge_degree = 'M' as int)"))


def _plain_census(df: DataFrame, texts: list[str]) -> DataFrame:
    df = df.withColumns({name: F.expr(f"trim(`{name}`)") for name in texts})
    asked = ("workclass", "occupation", "native-country")
    df = df.withColumns({name: F.expr(f"nullif(`{name}`, '?')") for name in asked})
    df = _encoded(df, [name for name in texts if name not in ("sex", "label")])
    df = df.withColumns({"sex": F.expr("cast(sex = 'Male' as int)"), "label": F.expr("cast(label = '>50K' as int)")})
    return df.drop("fnlwgt")


def _pipeline(
    ws: whence.Workspace,
    place: Path,
    name: str,
    data: whence.Dataset,
    prepare: Callable[..., whence.Pipeline],
    plain: Plain,
    repeats: int,
) -> Report:
    made: list[whence.Pipeline] = []

    def ours() -> None:
        p = prepare(data)
        assert p.result.count
        made.append(p)

    def theirs() -> None:
        target = place / f"plain-{time.monotonic_ns()}"
        plain(data.df).write.option("compression", "zstd").parquet(str(target))

    spark_ms, whence_ms = _interleaved(theirs, ours, repeats)
    p = made[-1]
    first, points, tables = _time_questions(p)
    return {
        "what": name,
        "spark": spark_ms,
        "whence": whence_ms,
        "ratio": whence_ms / spark_ms,
        "provenance kB": _kilobytes(ws, p),
        "first question": first,
        "slowest cell question": points,
        "slowest table question": tables,
        "paper MB": {"German credit": 75.0, "COMPAS": 199.0, "Census": 3800.0}[name],
    }


def _interleaved(
    one: Callable[[], None], other: Callable[[], None], repeats: int, warm: int = 2
) -> tuple[float, float]:
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(repeats + warm):
        for number in (0, 1) if turn % 2 else (1, 0):
            started = time.perf_counter()
            (one, other)[number]()
            if turn >= warm:
                times[number].append(1000 * (time.perf_counter() - started))
    return statistics.median(times[0]), statistics.median(times[1])


def _time_questions(p: whence.Pipeline) -> tuple[float, float, float]:
    """Milliseconds of the first question, of the slowest about a cell or record, of the slowest about the table."""
    q, columns, rng = p.provenance, p.result.columns, np.random.default_rng(1)
    first = _ms(lambda: [each.count() for each in p.operations])
    point: dict[str, list[float]] = {}
    for _ in range(20):
        row, record = int(rng.integers(p.result.count)), int(rng.integers(p.result.count))
        column = columns[int(rng.integers(len(columns)))]
        questions: dict[str, Callable[[], object]] = {
            "why": partial(q.why, row, column),
            "how": partial(q.how, row, column),
            "record": partial(q.record_operations, record),
            "item": partial(q.item_operations, record, column),
            "item gone": partial(q.item_invalidation, record, column),
            "record gone": partial(q.record_invalidation, record),
            "missing": partial(q.why_missing, record),
            "feature": partial(q.feature_operations, column),
        }
        for name, ask in questions.items():
            point.setdefault(name, []).append(_ms(ask))
    table = [
        _ms(lambda: q.invalidations().item_count),
        _ms(lambda: [list(each.after.features.values()) for each in q.dataset_spread()]),
        _ms(lambda: [q.feature_spread(name) for name in columns[:20]]),
    ]
    return first, max(statistics.median(each) for each in point.values()), max(table)


def _question_times(p: whence.Pipeline) -> dict[str, float]:
    return {
        "first question": _ms(lambda: p.operations[0].count()),
        "slowest cell question": _ms(lambda: p.provenance.why(7, "t_id")),
        "slowest table question": _ms(lambda: p.provenance.invalidations().item_count),
    }


def _ms(ask: Callable[[], object]) -> float:
    started = time.perf_counter()
    ask()
    return 1000 * (time.perf_counter() - started)


def _kilobytes(ws: whence.Workspace, p: whence.Pipeline) -> float:
    """Everything that is kept with the result but its rows."""
    record = p.result.record
    places = [(path, path.relative_to(ws.path).parts) for path in ws.path.rglob("*") if path.is_file()]
    kept = sum(
        path.stat().st_size
        for path, parts in places
        if record.id in parts and "rows" not in parts and parts[0] != "tmp"
    )
    return (kept + ids_beside_rows(ws.path / "datasets" / record.id)) / 1000


def scaled(size: int) -> pa.Table:
    """Trades joined with accounts in shape: 45 columns, some with missing or wrong values."""
    random = np.random.default_rng(size)
    columns: dict[str, object] = {}
    for number in range(COLUMNS - 4):
        if number % 3 == 0:
            columns[f"c{number}"] = random.integers(0, 1000, size)
        elif number % 3 == 1:
            columns[f"c{number}"] = random.normal(100, 20, size).round(2)
        else:
            columns[f"c{number}"] = pa.array(np.array(["CMPT", "PNDG", "SBMT", "CNCL"])[random.integers(0, 4, size)])
    columns["t_id"] = np.arange(size)
    columns["c_gndr"] = pa.array(np.array(["M", "F", "m", "f", "x"])[random.integers(0, 5, size)])
    columns["t_comm"] = pa.array(random.normal(10, 2, size).round(2), mask=random.random(size) < 0.4)
    columns["c_dob"] = pa.array(random.integers(-60_000, 18_000, size).astype("int32"), pa.date32())
    return pa.table(columns)


def _operations(ws: whence.Workspace, place: Path, size: int, number: int, repeats: int) -> list[Report]:
    """The six operations of the paper's Table 8, each on its own."""
    data = ws.create(f"trades_{size}", scaled(size))
    dob = "if(c_dob < date'1900-01-01', null, c_dob)"
    gender = "case upper({0}) when 'M' then 'M' when 'F' then 'F' else 'U' end"
    mean = "coalesce(t_comm, {0})"
    calls: dict[str, tuple[Callable[[whence.Pipeline], object], Plain]] = {
        "FS": (lambda p: p.drop_columns(["c0"]), lambda df: df.drop("c0")),
        "FT": (
            lambda p: p.transform(["c_gndr"], gender.format("{}")),
            lambda df: df.withColumn("c_gndr", F.expr(gender.format("c_gndr"))),
        ),
        "I": (
            lambda p: p.impute({"t_comm": "mean"}),
            lambda df: df.withColumn("t_comm", F.expr(mean.format(df.agg(F.avg("t_comm")).first()[0]))),  # type: ignore[index]
        ),
        "ST": (
            lambda p: p.derive({"has_comm": "if(t_comm is null, 0, 1)"}),
            lambda df: df.withColumn("has_comm", F.expr("if(t_comm is null, 0, 1)")),
        ),
        "IG": (
            lambda p: p.generate(rows=[{"t_id": -1, "c_gndr": "M"}]),
            lambda df: df.unionByName(
                df.sparkSession.sql("select -1L as t_id, 'M' as c_gndr"), allowMissingColumns=True
            ),
        ),
        "VT": (lambda p: p.transform(["c_dob"], dob), lambda df: df.withColumn("c_dob", F.expr(dob))),
    }
    rows: list[dict[str, object]] = []
    for name, (call, plain) in calls.items():

        def prepare(dataset: whence.Dataset, call: Callable[[whence.Pipeline], object] = call) -> whence.Pipeline:
            p = whence.Pipeline(dataset, name="one_step")
            call(p)
            return p

        made: list[whence.Pipeline] = []

        def ours(prepare: Callable[..., whence.Pipeline] = prepare, made: list[whence.Pipeline] = made) -> None:
            p = prepare(data)
            assert p.result.count
            made.append(p)

        def theirs(plain: Plain = plain) -> None:
            plain(data.df).write.option("compression", "zstd").parquet(str(place / f"plain-{time.monotonic_ns()}"))

        spark_ms, whence_ms = _interleaved(theirs, ours, repeats, warm=1)
        for path in place.glob("plain-*"):
            shutil.rmtree(path)
        rows.append(
            {
                "what": f"{name}, {size:,} rows",
                "spark": spark_ms,
                "whence": whence_ms,
                "ratio": whence_ms / spark_ms,
                "provenance kB": _kilobytes(ws, made[-1]),
                **_question_times(made[-1]),
                "paper MB": PAPER_MB[name][number] if number < 3 else None,
            }
        )
    return rows
