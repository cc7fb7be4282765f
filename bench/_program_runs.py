"""PySpark programs to run with and without whence: those of Spark's own package, and those of the tests."""

from __future__ import annotations

import ctypes
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pyspark

from bench._timing import cpu_seconds
from whence.engine.java import java_home

_SPARK = Path(pyspark.__file__).parent
_EXAMPLES = _SPARK / "examples" / "src" / "main" / "python"
_SCRIPTS = Path(__file__).resolve().parents[1] / "tests" / "programs" / "scripts"
_RESOURCES = {
    "people.json": '{"name":"Michael"}\n{"name":"Andy", "age":30}\n{"name":"Justin", "age":19}\n',
    "people.txt": "Michael, 29\nAndy, 30\nJustin, 19\n",
}
"""Files that Spark's examples read and that its package lacks, in the form that the examples describe."""
_OF_SPARK = (
    "sql/basic.py",
    "ml/bucketizer_example.py",
    "ml/correlation_example.py",
    "ml/count_vectorizer_example.py",
    "ml/fpgrowth_example.py",
    "ml/gaussian_mixture_example.py",
    "ml/imputer_example.py",
    "ml/index_to_string_example.py",
    "ml/isotonic_regression_example.py",
    "ml/logistic_regression_summary_example.py",
    "ml/min_hash_lsh_example.py",
    "ml/naive_bayes_example.py",
    "ml/pipeline_example.py",
    "ml/rformula_example.py",
    "ml/sql_transformer.py",
    "ml/standard_scaler_example.py",
    "ml/tf_idf_example.py",
    "ml/word2vec_example.py",
)
_KEPT = re.compile(r"^  .*: (?:\S+@\d+, [\d,]+ rows?, (exact)( but for .*)?|.*)$")
"""A line about an output of a program. An output over a fitted model is exact but for what the model learned."""
_BETWEEN_VALUES = re.compile(r"[\s,|:{}\[\]\"()=]+")
_BECOME_PARENT_OF_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER of Linux


@dataclass(frozen=True)
class Program:
    """A program, and how to start it."""

    path: Path
    origin: str
    arguments: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name in the report."""
        return self.path.stem


@dataclass(frozen=True)
class ProgramRun:
    """What one run of a program printed, wrote and took."""

    status: int
    printed: str
    written: dict[str, list[Any]]
    exact: int
    exact_rows: int
    """How many outputs are exact, or would be without a fitted model."""
    outputs: int
    """How many outputs whence listed, kept or not."""
    seconds: float
    cpu: float


def spark_programs() -> list[Program]:
    """Return examples of Apache Spark, unchanged, as its package installs them."""
    return [Program(_EXAMPLES / each, "Apache Spark") for each in _OF_SPARK]


def own_programs(data: Path, out: Path) -> list[Program]:
    """Return the programs of the tests, over their data."""
    arguments = (str(data), str(out))
    return [Program(each, "tests", arguments) for each in sorted(_SCRIPTS.glob("*.py"))]


def prepare_folder(folder: Path) -> None:
    """Lay out what Spark's examples read below the folder that they run in."""
    resources = folder / "examples" / "src" / "main" / "resources"
    resources.mkdir(parents=True)
    for name, text in _RESOURCES.items():
        (resources / name).write_text(text)
    (folder / "data").symlink_to(_SPARK / "data")
    if sys.platform == "linux":  # else the time of Spark's Java counts only as far as Python waits for it
        ctypes.CDLL(None).prctl(_BECOME_PARENT_OF_ORPHANS, 1, 0, 0, 0)


def run_plainly(program: Program, folder: Path) -> ProgramRun:
    """Run a program with Python alone."""
    return _run([sys.executable, str(program.path), *program.arguments], folder)


def run_with_whence(program: Program, folder: Path) -> ProgramRun:
    """Run a program with `whence run`, in a new workspace."""
    workspace = folder / "kept.whence"
    shutil.rmtree(workspace, ignore_errors=True)
    options = ["run", "--workspace", str(workspace), str(program.path), "--", *program.arguments]
    return _run([sys.executable, "-m", "whence", *options], folder)


def are_equal(one: ProgramRun, other: ProgramRun) -> bool:
    """Whether two runs ended alike, and printed and wrote the same. Sums of fractions may differ in the last digits."""
    if one.status != other.status:
        return False
    is_same = one.written.keys() == other.written.keys() and _are_close(_values(one.printed), _values(other.printed))
    return is_same and all(_are_close(one.written[name], other.written[name]) for name in one.written)


def _run(command: Sequence[str], folder: Path) -> ProgramRun:
    out = folder / "out"
    for each in (out, folder / "spark-warehouse"):
        shutil.rmtree(each, ignore_errors=True)
    out.mkdir()
    environment = {**os.environ, "JAVA_HOME": str(java_home()), "PYSPARK_PYTHON": sys.executable}
    environment["PYTHONHASHSEED"] = "0"  # where Spark ML gets no seed, it takes the hash of a name
    spent, begun = cpu_seconds(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    _wait_for_orphans()
    kept = [match for match in map(_KEPT.match, _summary(done.stderr)) if match]
    written = dict(_written(out)) | dict(_written(folder / "spark-warehouse"))
    exact_rows = sum(match[1] is not None for match in kept)
    exact = sum(match[1] is not None and match[2] is None for match in kept)
    return ProgramRun(
        done.returncode, done.stdout, written, exact, exact_rows, len(kept), seconds, cpu_seconds() - spent
    )


def _wait_for_orphans() -> None:
    """Wait for Java, which ends a little after the program."""
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return


def _summary(text: str) -> list[str]:
    """Return the lines about outputs of what `whence run` prints at the end."""
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith("whence: kept ")), len(lines))
    return [line for line in lines[start + 1 :] if line.startswith("  ")]


def _written(out: Path) -> Iterator[tuple[str, list[Any]]]:
    """Yield what each folder holds, as sorted rows."""
    for folder in sorted(out.iterdir()) if out.exists() else ():
        files = [each for each in folder.rglob("part-*") if each.is_file()]
        kinds = {each.suffix for each in files}
        if kinds in ({".parquet"}, {".orc"}):
            (kind,) = kinds
            rows = ds.dataset(str(folder), format=kind[1:], partitioning="hive").to_table().to_pylist()
            yield folder.name, [value for row in sorted(map(_text, rows)) for value in _values(row)]
        else:
            lines = sorted(line for each in files for line in each.read_text().splitlines())
            yield folder.name, [value for line in lines for value in _values(line)]


def _text(row: dict[str, Any]) -> str:
    return json.dumps(row, sort_keys=True, default=str)


def _values(text: str) -> list[str | float]:
    return [_number(each) for each in _BETWEEN_VALUES.split(text) if each]


def _number(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _are_close(one: Sequence[Any], other: Sequence[Any]) -> bool:
    def is_same(a: object, b: object) -> bool:
        if isinstance(a, float) and isinstance(b, float):
            return math.isclose(a, b, rel_tol=1e-9) or (math.isnan(a) and math.isnan(b))
        return a == b

    return len(one) == len(other) and all(map(is_same, one, other))
