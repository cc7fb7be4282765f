"""`whence run program.py`: a program runs as under Python, and a summary says what was kept of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence
from whence.cli.main import app
from whence.cli.programs import is_program, run_program, summary_lines

PROGRAM = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.appName("mine").getOrCreate()
parts = spark.read.csv(sys.argv[1], header=True, inferSchema=True)
sums = parts.groupBy("part").sum("n").orderBy("part")
sums.show()
sums.write.parquet("sums_by_part")
spark.read.parquet("sums_by_part").where("part = 'bolt'").toPandas()
parts.limit(1).groupBy().count().collect()
parts.where("n > 1").writeTo("large_parts").using("parquet").create()
spark.stop()
sys.exit(3)
"""


def _whence(*arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "whence", *arguments]
    environment = {key: value for key, value in os.environ.items() if key != "WHENCE_WORKSPACE"}
    environment = {key: value for key, value in (environment | variables).items() if value}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.spark
def test_a_program_keeps_its_output_and_status_and_its_frames_are_kept(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "parts.csv").write_text("part,n\nbolt,1\nnut,2\nbolt,3\n")
    ran = _whence("run", "program.py", "--", "parts.csv", folder=tmp_path)
    assert ran.returncode == 3
    assert "|bolt|     4|" in ran.stdout
    assert "whence" not in ran.stdout
    summary = ran.stderr[ran.stderr.index("whence: kept") :].splitlines()
    assert summary == [
        "whence: kept 5 of 5 outputs in program.whence",
        "  sums shown, line 7: sums@1, 2 rows, exact",
        "  sums_by_part written, line 8: sums_by_part@1, 2 rows, exact",
        "  collected, line 9: line_9@1, 1 row, exact",
        "  collected, line 10: line_10@1, 1 row, exact",
        "  large_parts written, line 11: large_parts@1, 2 rows, exact",
        "Where a row came from: whence trace program.whence sums 0",
    ]
    with whence.open(tmp_path / "program.whence") as ws:  # through the file that the program wrote and read again
        assert ws["line_9"].lineage.backward([0], to="parts").ids.tolist() == [0, 2]
        assert ws["large_parts"].lineage.backward([0, 1], to="parts").ids.tolist() == [1, 2]


def test_a_program_is_told_from_a_notebook_by_its_first_line(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print(1)\n")
    (tmp_path / "notebook.py").write_text('whence notebook 1: "tour"\n')
    assert [is_program(str(tmp_path / f"{name}.py")) for name in ("program", "notebook", "missing")] == [
        True,
        False,
        False,
    ]


def test_options_of_notebooks_are_refused_for_programs_and_arguments_for_notebooks(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print(1)\n")
    (tmp_path / "tour.txt").write_text('whence notebook 1: "tour"\n')
    for arguments in (["program.py", "--strict"], ["tour.txt", "--", "more"]):
        refused = CliRunner().invoke(app, ["run", str(tmp_path / arguments[0]), *arguments[1:]])
        assert refused.exit_code == 1
        assert "whence: " in refused.output


ENDS = {
    "print('done')": (0, ""),
    "import sys; sys.exit('no input')": (1, "no input\n"),
    "import sys; sys.exit(4)": (4, ""),
    "import beside": (0, ""),
}


@pytest.mark.parametrize("code", ENDS)
def test_a_program_ends_as_under_python(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHENCE_WORKSPACE", str(tmp_path / "kept.whence"))
    (tmp_path / "beside.py").write_text("print('beside')\n")
    (tmp_path / "program.py").write_text(code)
    status, printed = ENDS[code]
    assert run_program(str(tmp_path / "program.py"), [], None) == status
    nothing = "whence: the program showed, collected and wrote no frame.\n"
    assert capsys.readouterr().err == printed + nothing
    assert not (tmp_path / "kept.whence").exists()


def test_tasks_of_spark_run_in_the_python_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import os\nprint(os.environ['PYSPARK_PYTHON'])\n")
    ran = _whence("run", "program.py", folder=tmp_path, PYSPARK_PYTHON="")
    named = _whence("run", "program.py", folder=tmp_path, PYSPARK_PYTHON="other")
    assert (ran.stdout, named.stdout) == (f"{sys.executable}\n", "other\n")


def test_the_traceback_of_a_program_begins_in_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_WORKSPACE", str(tmp_path / "kept.whence"))
    program = tmp_path / "program.py"
    program.write_text("def halve(n):\n    return n // 0\n\nhalve(2)\n")
    plain = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    ran = _whence("run", str(program), folder=tmp_path)
    assert ran.returncode == plain.returncode == 1
    assert ran.stderr.startswith(plain.stderr)


def test_a_program_without_frames_has_nothing_to_ask_about() -> None:
    assert summary_lines([], Path("x.whence")) == ["whence: the program showed, collected and wrote no frame."]
