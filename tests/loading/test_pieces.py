"""However a file is cut into pieces, and wherever these wait, the dataset is the same; and memory stays bounded."""

from __future__ import annotations

import multiprocessing
import resource
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.loading.test_nothing_lost import BODY, HEADER
from whence.loading import parse as parse_module
from whence.loading import read_csv
from whence.loading import shelf as shelf_module
from whence.loading.load import LoadRequest, load_csv
from whence.loading.options import Options
from whence.loading.passes import LookTask, run_look
from whence.loading.problem_table import Problems
from whence.loading.problems import Problem
from whence.loading.scratch import Scratch
from whence.loading.shelf import Shelf, TextRows
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pieces")


@given(BODY, st.integers(1, 60))
@settings(max_examples=80, deadline=None)
def test_how_a_file_is_cut_changes_nothing(folder: Path, body: str, window: int) -> None:
    path = folder / "t.csv"
    path.write_bytes((HEADER + body).encode())
    whole = read_csv(path)
    with patch.object(parse_module, "WINDOW", window), patch.object(parse_module, "EXACT_STRETCH", window):
        cut = read_csv(path)
    assert cut.table.schema == whole.table.schema
    assert [str(column) for column in cut.table.to_pylist()] == [str(column) for column in whole.table.to_pylist()]
    assert cut.problems == whole.problems
    assert cut.report == whole.report


def test_text_that_waited_on_the_disk_is_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"{n},é{n},extra\n" for n in range(1000)))
    with patch.object(parse_module, "WINDOW", 1000):
        in_memory = run_look(LookTask(path, Options(), None))
        on_disk = run_look(LookTask(path, Options(), tmp_path / "scratch", held=0))
    for one, other in zip(in_memory.shelf, on_disk.shelf, strict=True):
        assert list(one.columns) == list(other.columns)
        assert one.lines.tolist() == other.lines.tolist()
        assert one.extra == other.extra
    assert any((tmp_path / "scratch").iterdir())


def test_no_more_waits_in_memory_than_there_is_room_for(tmp_path: Path) -> None:
    shelf = Shelf(Scratch(tmp_path / "scratch"), room=1 << 20)
    texts = pa.array(["some text"] * 30_000)
    most = 0
    for start in range(0, 300_000, 30_000):
        shelf.put(TextRows([texts, texts], np.arange(start, start + 30_000)))
        most = max(most, shelf.bytes_in_memory)
    assert most <= 1 << 20
    assert np.concatenate([piece.lines for piece in shelf]).tolist() == list(range(300_000))
    assert all(list(piece.columns) == [texts, texts] for piece in shelf)


def load_within(root: Path, source: Path, most: int, answers: multiprocessing.Queue[tuple[int, int]]) -> None:
    """Load in a process of its own and say how many rows came out and how much memory was added."""
    store = Store.open(root)
    (root.parent / "warm.csv").write_text("a,b\n1,x\n")
    load_csv(store, root.parent / "warm.csv", "warm")
    shelf_module._MOST = 96 << 20
    before = anonymous()
    resource.setrlimit(resource.RLIMIT_DATA, (before + most, before + most))
    answers.put((load_csv(store, source, "t").rows, before))


def anonymous() -> int:
    """Bytes of memory of this process that are its own and not those of files."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return int(fields["VmData"].split()[0]) * 1024


def load_large(folder: Path, megabytes: int, most: int) -> None:
    source = folder / "large.csv"
    line = "{:09d},some text that is long enough to matter,{:.3f},2024-01-{:02d}\n"
    block = "".join(line.format(n, n / 7, n % 28 + 1) for n in range(14_000))
    with source.open("w") as file:
        file.write("id,words,number,day\n")
        for _ in range(megabytes):
            file.write(block)
    answers = FORKS.Queue()
    process = FORKS.Process(target=load_within, args=(folder / "w", source, most, answers))
    process.start()
    rows, _ = answers.get(timeout=250)
    process.join(60)
    assert rows == 14_000 * megabytes


@pytest.mark.long
def test_a_file_of_300_megabytes_needs_no_more_memory_than_a_bound(tmp_path: Path) -> None:
    load_large(tmp_path, 330, most=600 << 20)
    assert (tmp_path / "large.csv").stat().st_size > 300 << 20


def test_a_million_problems_take_little_room_and_come_back_one_by_one() -> None:
    some = Problems.of(Problem(n, "a", n + 2, "x", "misfit", f"message {n}") for n in range(10_000))
    many = Problems.joined([some.moved(10_000 * n) for n in range(100)])
    assert (len(many), many.counts, sum(count for _, count in many.runs)) == (10**6, {"misfit": 10**6}, 10**6)
    assert many.table.nbytes < 60 << 20
    assert many[-1] == Problem(999_999, "a", 10_001, "x", "misfit", "message 9999")
    assert many.flagged_rows()["a"].tolist() == list(range(10**6))


def test_a_column_full_of_misfits_is_loaded_with_each_of_them(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n\n" + "1\n" * 60_000 + "oops\n" * 20_000)
    record = load_csv(store, path, "t", LoadRequest())
    assert len(store.caveats(record)) == 20_000
    assert store.flags(record, 59_999, 60_001)["n"].to_pylist() == [False, True]
