"""Twelve PySpark programs, unchanged: each prints and writes what it does without whence, and what it shows is kept."""

from __future__ import annotations

import io
import math
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import whence
from tests.programs.data import write_data
from whence.engine.frame_actions import FrameAction, observe_actions
from whence.workspace.program_outputs import KeptOutput, ProgramOutputs

PROGRAMS = sorted(Path(__file__).with_name("scripts").glob("*.py"))
QUICK = {"sales_report", "late_orders", "customers_etl"}
"""Run with every change; the others take a minute together."""
FITTED = {"churn_model"}
"""Programs with outputs over fitted models, whose summary names these."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_data(folder, rows=600)
    return folder


@pytest.fixture(autouse=True)
def _shared_spark(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Programs stop their session at the end, which is that of all tests here."""
    monkeypatch.setattr(SparkSession, "stop", lambda self: None)
    yield
    ws.spark.sql("drop table if exists program_city_report")


class Observed:
    """Runs programs with whence, and remembers which frame each kept output is of."""

    def __init__(self, ws: whence.Workspace) -> None:
        self.outputs = ProgramOutputs(lambda frame: ws.context)
        self.frames: list[tuple[DataFrame, KeptOutput]] = []

    @contextmanager
    def watch(self, action: FrameAction) -> Iterator[None]:
        before = len(self.outputs.kept)
        with self.outputs.watch(action):
            yield
        self.frames += [(action.frame, kept) for kept in self.outputs.kept[before:]]


def _run(program: Path, data: Path, out: Path, observed: Observed | None, monkeypatch: pytest.MonkeyPatch) -> str:
    printed = io.StringIO()
    monkeypatch.setattr(sys, "argv", [str(program), str(data), str(out)])
    watching = (
        nullcontext() if observed is None else observe_actions(str(program), observed.watch, observed.outputs.take_back)
    )
    with redirect_stdout(printed), watching, suppress(SystemExit):
        runpy.run_path(str(program), run_name="__main__")
    return printed.getvalue()


def _rows(frame: DataFrame) -> list[tuple[object, ...]]:
    shown = [name for name in frame.columns if not name.startswith("__")]
    return [tuple(row) for row in frame.select(*(f"`{name}`" for name in shown)).collect()]


def _sorted(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted(rows, key=lambda row: [str(round(v, 6)) if isinstance(v, float) else str(v) for v in row])


def _are_equal(one: list[tuple[object, ...]], other: list[tuple[object, ...]]) -> bool:
    """Whether two results hold the same rows; sums of floats may differ in their last digits."""

    def is_same(a: object, b: object) -> bool:
        return math.isclose(a, b, rel_tol=1e-9) if isinstance(a, float) and isinstance(b, float) else a == b

    pairs = zip(_sorted(one), _sorted(other), strict=True)
    return all(len(a) == len(b) and all(map(is_same, a, b)) for a, b in pairs)


def _written(spark: SparkSession, out: Path) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    for folder in sorted(each for each in out.iterdir() if each.is_dir()):
        kinds = {file.suffix for file in folder.rglob("part-*")}
        (kind,) = kinds
        reader = spark.read.option("header", True)
        found[folder.name] = _rows(reader.format(kind.removeprefix(".")).load(str(folder)))
    return found


@pytest.mark.parametrize(
    "program",
    [pytest.param(each, id=each.stem, marks=() if each.stem in QUICK else pytest.mark.long) for each in PROGRAMS],
)
def test_a_program_does_what_it_did_and_its_outputs_are_kept(
    ws: whence.Workspace, data: Path, tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    observed = Observed(ws)
    (tmp_path / "plain").mkdir()
    (tmp_path / "observed").mkdir()
    printed = _run(program, data, tmp_path / "plain", None, monkeypatch)
    assert _run(program, data, tmp_path / "observed", observed, monkeypatch) == printed
    plain, again = (_written(ws.spark, tmp_path / each) for each in ("plain", "observed"))
    assert plain.keys() == again.keys()
    assert all(_are_equal(plain[name], again[name]) for name in plain)
    assert observed.frames
    for frame, kept in observed.frames:
        assert kept.record is not None, kept
        assert not kept.note, kept
        assert kept.is_exact or program.stem in FITTED, kept
        assert _are_equal(_rows(ws[kept.record.label].df), _rows(frame)), kept
