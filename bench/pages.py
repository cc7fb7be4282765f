"""How long a page of 100 rows takes out of a long dataset, at random places, plain and through a sorted view.

Warm: the workspace is open and has served pages. Cold: it was opened again and its files dropped from the system's
cache; opening itself is not counted. Every contender reads the same Parquet files at the same places.
"""

from __future__ import annotations

import gc
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.dataset

import whence
from whence.cli.bench import summarise

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 10_000_000))
PAGE = 100
SORT = [("n4", "desc")]
WHERE = [("i0", "<", 500)]
ORDERED = "where i0 < 500 order by n4 desc"
COLD_REPEATS = 5

Page = Callable[[float], pa.Table]
Contender = Callable[[], AbstractContextManager[Page]]


def run(repeats: int) -> dict[str, object]:
    """Make the dataset, then time all contenders in rounds, at the same random places."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-", dir=os.environ.get("WHENCE_BENCH_FOLDER")) as folder:
        path = Path(folder) / "pages.whence"
        facts = _make(path)
        contenders = _contenders(path, _parts(path), int(facts["rows in the view"]))
        places = [random.Random(n).random() for n in range(repeats)]
        _check(contenders, places[0])
        times = _warm(contenders, places) | _cold(contenders, path, places[:COLD_REPEATS])
    return {
        "question": f"A page of {PAGE} rows out of {ROWS:,} rows and 16 columns, at a random place",
        "baseline": "whence, warm",
        "results": summarise(dict(sorted(times.items())), "whence, warm"),
        "facts": facts,
    }


def _make(path: Path) -> dict[str, float]:
    facts: dict[str, float] = {}
    with whence.open(path) as workspace:
        facts["make the dataset, s"] = _timed(lambda: workspace.create("t", _table(ROWS))) / 1000
        view = workspace["t"].view(sort=SORT, where=WHERE)
        facts["work the view out, s"] = _timed(lambda: view.count) / 1000
        facts["rows in the view"] = view.count
        middle = view.count // 2
        facts["first page of the view, ms"] = _timed(lambda: view.rows(middle, middle + PAGE))
        # A user would look at the first page meanwhile; later pages come from the copy that is being made.
        facts["make the copy for scattered rows, s"] = _timed(view.wait) / 1000
        facts["Parquet, MB"], facts["copy, MB"] = _size(path / "datasets"), _size(path / "tmp" / "rows")
    return facts


def _contenders(path: Path, files: list[str], viewed: int) -> dict[str, Contender]:
    return {
        "whence": lambda: _whence(path),
        "whence, sorted and filtered": lambda: _view(path),
        "pyarrow": lambda: _arrow(files),
        "duckdb": lambda: _duck(files, "", ROWS),
        "duckdb, sorted and filtered": lambda: _duck(files, ORDERED, viewed),
    }


@contextmanager
def _whence(path: Path) -> Iterator[Page]:
    with whence.open(path) as workspace:
        dataset = workspace["t"]
        yield _at(dataset.count, lambda place: dataset.rows(place, place + PAGE))


@contextmanager
def _view(path: Path) -> Iterator[Page]:
    with whence.open(path) as workspace:
        view = workspace["t"].view(sort=SORT, where=WHERE)
        # The number of rows is asked for with the page, as the browser does for its scroll bar.
        yield lambda share: view.rows(place := int(share * (view.count - PAGE)), place + PAGE)


@contextmanager
def _arrow(files: list[str]) -> Iterator[Page]:
    dataset = pa.dataset.dataset(files)
    yield _at(ROWS, lambda place: dataset.take(pa.array(range(place, place + PAGE))))


@contextmanager
def _duck(files: list[str], clause: str, rows: int) -> Iterator[Page]:
    with duckdb.connect() as connection:
        query = f"select * from read_parquet({files!r}, hive_partitioning = false) {clause} limit {PAGE} offset "
        yield _at(rows, lambda place: connection.sql(query + str(place)).to_arrow_table())


def _at(rows: int, page: Callable[[int], pa.Table]) -> Page:
    return lambda share: page(int(share * (rows - PAGE)))


def _warm(contenders: dict[str, Contender], places: list[float]) -> dict[str, list[float]]:
    """Rounds in shuffled order; a workspace has one owner at a time, so it is opened, warmed and timed in turn."""
    times: dict[str, list[float]] = {f"{name}, warm": [] for name in contenders}
    for place in places:
        for name in random.Random(place).sample(list(contenders), len(contenders)):
            with contenders[name]() as page:
                for warming in (0.2, 0.7):
                    page(warming)
                times[f"{name}, warm"].append(_timed(partial(page, place)))
    return times


def _cold(contenders: dict[str, Contender], path: Path, places: list[float]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {f"{name}, cold": [] for name in contenders}
    for place in places:
        for name in random.Random(place).sample(list(contenders), len(contenders)):
            _drop_from_cache(path)
            with contenders[name]() as page:
                times[f"{name}, cold"].append(_timed(partial(page, place)))
    return times


def _timed(action: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def _drop_from_cache(folder: Path) -> None:
    os.sync()  # only what is on the disk can be dropped
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def _check(contenders: dict[str, Contender], place: float) -> None:
    """All contenders show the same page."""
    pages = {}
    for name, contender in contenders.items():
        with contender() as page:
            pages[name] = page(place)
    plain = pages["whence"].to_pylist()
    assert plain == pages["pyarrow"].select(pages["whence"].column_names).to_pylist()
    assert plain == pages["duckdb"].to_pylist()
    sorted_by = (pages[f"{name}, sorted and filtered"]["n4"].to_pylist() for name in ("whence", "duckdb"))
    assert next(sorted_by) == next(sorted_by)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 2**20


def _parts(path: Path) -> list[str]:
    parts = path.glob("datasets/*/rows/*/part.parquet")
    return [str(part) for part in sorted(parts, key=lambda part: int(part.parent.name.split("=")[1]))]


def _table(rows: int) -> pa.Table:
    source = np.random.default_rng(1)
    columns: dict[str, object] = {"id": np.arange(rows)}
    columns |= {f"i{n}": source.integers(0, 10 ** (3 + n), rows) for n in range(3)}
    columns |= {f"n{n}": source.normal(0, 10**n, rows).round(3) for n in range(5)}
    words = pa.array([f"word {n:05d}" for n in range(20_000)])
    columns |= {f"w{n}": words.take(pa.array(source.integers(0, 10 ** (2 + n), rows))) for n in range(3)}
    columns["free"] = pa.array(source.integers(0, 1 << 40, rows)).cast(pa.string())
    columns["day"] = pa.array(source.integers(15_000, 20_000, rows).astype(np.int32)).view(pa.date32())
    columns["moment"] = pa.array(source.integers(0, 1 << 50, rows)).view(pa.timestamp("us"))
    columns["is_new"] = source.random(rows) < 0.5
    return pa.table(columns)
