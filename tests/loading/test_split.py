"""One file read in stretches gives what the file read in one go gives, wherever it is cut."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import whence
from tests.loading.test_in_tasks import context_of, everything
from whence.engine.load_in_tasks import InTasks
from whence.loading import load as load_module
from whence.loading import load_path
from whence.loading.cuts import stretches
from whence.loading.delimited import Job, read_delimited
from whence.loading.exact import Form, records
from whence.loading.infer import look
from whence.loading.load import LoadRequest
from whence.loading.options import Options

Task = TypeVar("Task")
Answer = TypeVar("Answer")

FIELDS = (
    "", '""', "1", "-7", "2.5", "1e400", "NA", "007", "true", "2024-01-31", "01/02/2024", " 3 ", "é", "\ufffd", "Total",
    '"a,b"', '"two\nlines"', '"cr\r\nlf"', '"say ""no"""', '"\n\n"', '5" pipe', '""""',
)  # fmt: skip
BROKEN = ('"open', '"a"b', 'x"', "#c")
SIZES = (1, 7, 20, 64, 300)


class Apart:
    """Runs what it is given as another process would: on copies."""

    def __init__(self) -> None:
        self.runs: list[int] = []

    def __call__(self, function: Callable[[Task], Answer], tasks: Sequence[Task], phase: str = "") -> list[Answer]:
        self.runs.append(len(tasks))
        return [pickle.loads(pickle.dumps(function(pickle.loads(pickle.dumps(task))))) for task in tasks]


def nasty(seed: int) -> bytes:
    """A random file; every fourth has quotes out of place."""
    draw = random.Random(seed)
    fields = FIELDS + (BROKEN if seed % 4 == 0 else ())
    end = draw.choice(["\n", "\r\n", "\r"])
    lines = [",".join(draw.choices(fields, k=draw.choice([2, 3, 3, 3, 3, 4]))) for _ in range(draw.randint(0, 25))]
    lines = ["aa,bb,cc", *(line if draw.random() < 0.95 else "" for line in lines)]
    return (end.join(lines) + draw.choice(["", end])).encode()


def result(job: Job) -> tuple[object, ...]:
    parts = read_delimited(job)
    tables = [pq.read_table(part.path).to_pylist() for part in parts.parts]
    schema = pq.read_schema(parts.parts[0].path)
    return schema, [row for table in tables for row in table], parts.report, list(parts.report.problems), parts.flagged


def same_in_stretches(path: Path, folder: Path) -> None:
    """Read a file in one go and in some five stretches."""
    staging, size = Path(mkdtemp(dir=folder)), path.stat().st_size // 5 + 1
    job = Job(path, [path], staging / "one", Options())
    assert result(replace(job, runner=Apart(), staging=staging / "two", stretch=size)) == result(job)


def test_random_files_cut_anywhere(tmp_path: Path) -> None:
    spread = whole = 0
    for seed in range(32):
        path = tmp_path / f"{seed}.csv"
        path.write_bytes(nasty(seed))
        options = Options(nulls=("NA",)) if seed % 3 == 0 else Options()
        key = "aa" if seed % 5 == 0 else None
        job = Job(path, [path], tmp_path / f"s{seed}", options, key)
        expected = result(job)
        for size in SIZES:
            runner = Apart()
            staging = tmp_path / f"s{seed}-{size}"
            assert result(replace(job, runner=runner, staging=staging, stretch=size)) == expected, (seed, size)
            spread += max(runner.runs, default=0) > 1
            whole += not runner.runs
    assert spread > 50
    assert whole > 10


def test_every_stretch_begins_with_a_record() -> None:
    """The exact reader, from the beginning, is the measure."""
    cut = 0
    for seed in range(200):
        data, form = nasty(seed), Form()
        begins = {record.start: record.line for record in records(data, form)}
        for size in SIZES:
            found = stretches(data, form, 0, 1, size)
            if found is None:
                continue
            assert [each.stop for each in found[:-1]] == [each.start for each in found[1:]]
            assert (found[0].start, found[-1].stop) == (0, len(data))
            for each in found:
                first = next(records(data, form, each.start, each.line), None)
                if first is not None:
                    assert begins[first.start] == first.line
                    cut += each.start > 0
    assert cut > 1000


def test_letters_left_under_a_null_are_no_evidence() -> None:
    """Arrow may keep them, depending on how the NULL came about; then the type hung on where a file was cut."""
    letters = pa.array(["NA", "x"])
    hidden = pa.Array.from_buffers(pa.string(), 2, [pa.py_buffer(b"\x02"), *letters.buffers()[1:]])
    assert hidden.to_pylist() == [None, "x"]
    assert look(hidden).tally.evidence == 1


@pytest.mark.parametrize(
    "data",
    [
        "a,b\n1,é\n2,ö\n".encode("utf-16"),
        "a,b\n1,é\n2,ö\n".encode("latin-1"),
        b"\xef\xbb\xbfa,b\n1,2\n3,4\n",
        b"a,b\n1,\xc3\xa9\xc3\xa9\xff\n2,x\n",
        b"a,b\n1,2\n3,4\n\x1a",
        b"a,b\n1,2\n",
        b"a,b\n\n\n\n",
        b"a,b\n",
    ],
    ids=["utf-16", "latin-1", "mark", "bad byte", "ctrl-z", "one row", "blank", "header"],
)
def test_files_that_are_not_cut_or_have_nothing_to_cut(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    job = Job(path, [path], tmp_path / "one", Options())
    assert result(replace(job, runner=Apart(), staging=tmp_path / "two", stretch=2)) == result(job)


def test_spark_tasks_give_the_same_dataset(
    ws: whence.Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, session = context_of(ws).store, context_of(ws).engine.session
    monkeypatch.setattr(load_module, "SPLIT_BYTES", 0)
    for seed in (1, 2, 3, 4):
        path = tmp_path / f"{seed}.csv"
        path.write_bytes(nasty(seed))
        load_path(store, path, f"here{seed}", LoadRequest(key="aa"))
        load_path(store, path, f"there{seed}", LoadRequest(key="aa", spread=lambda: InTasks(session), stretch=100))
        assert everything(ws, f"here{seed}") == everything(ws, f"there{seed}")
