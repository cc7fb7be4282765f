"""The magic `%%whence` in a shell of IPython: frames become datasets, and tables that know their sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("IPython")
pytest.importorskip("ipykernel")

from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

import whence
from whence.jupyter.extension import MAGIC, Extension
from whence.workspace.dataset import Dataset

PARTS = "part,n\nbolt,4\nnut,\nbolt,6\nnut,x<1\n"


@pytest.fixture
def shell(ws: whence.Workspace, tmp_path: Path) -> Iterator[InteractiveShell]:
    """A shell with the variables `spark` (a session of its own), `ws` and `file`."""
    shell = InteractiveShell()
    shell.colors = "nocolor"
    assert shell.history_manager is not None
    shell.history_manager.enabled = False
    shell.run_line_magic("load_ext", "whence")
    (tmp_path / "parts.csv").write_text(PARTS)
    shell.push({"spark": ws.spark.newSession(), "ws": ws, "file": str(tmp_path / "parts.csv")})
    yield shell
    shell.run_line_magic("unload_ext", "whence")
    assert MAGIC not in shell.magics_manager.magics["cell"]
    shell.history_manager.end_session()


def extension_of(shell: InteractiveShell) -> Extension:
    loaded: Extension = shell.whence_extension  # type: ignore[attr-defined]  # the extension sets it
    return loaded


READ = """%%whence --workspace ws
from pyspark.sql import functions as F
parts = spark.read.csv(file, header=True)
sums = parts.groupBy("part").agg(F.sum(F.col("n").try_cast("int")).alias("n")).orderBy("part")
"""


def test_a_frame_at_the_end_of_a_cell_becomes_a_dataset_with_its_name(
    shell: InteractiveShell, ws: whence.Workspace
) -> None:
    result = shell.run_cell(READ + "sums").result
    assert isinstance(result, Dataset)
    assert (result.name, result.to_arrow().to_pylist()) == (
        "sums",
        [{"part": "bolt", "n": 10}, {"part": "nut", "n": None}],
    )
    assert ws["sums"].lineage.backward([0], to="parts").ids.tolist() == [0, 2]
    assert shell.user_ns["sums"].columns == ["part", "n"], "the frame stays what it was"


def test_show_shows_a_table_in_place_of_text_and_a_click_is_answered_with_lines_and_values(
    shell: InteractiveShell, ws: whence.Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.display_pub = published = CapturingDisplayPublisher()
    shell.run_cell(READ + "print('before')\nsums.show(1)\nprint('after')")
    assert capsys.readouterr().out == "before\nafter\n"
    (shown,) = (each["data"]["text/html"] for each in published.outputs)
    assert "sums@1: 2 rows x 2 columns" in shown
    assert "<td>bolt</td><td>10</td>" in shown
    assert "<td>nut</td>" not in shown.partition("<details>")[0], "the program asked for one row"
    sums = ws["sums"].record.id
    answer = extension_of(shell)._comm.answer({"dataset": sums, "row": 0, "column": 1})
    assert "sums@1, row 0, n = 10" in answer
    assert "parts@1: 2 rows of " in answer
    assert "<th>line 2</th>" in answer
    assert "<th>line 4</th>" in answer
    assert answer.count("font-weight: bold") == 4


def test_what_is_written_and_collected_is_kept_and_said(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = shell.run_cell(READ + f"sums.write.parquet({str(tmp_path / 'sums_by_part')!r})\nlen(sums.collect())")
    assert result.result == 2
    assert capsys.readouterr().out.splitlines()[:2] == [
        f"whence: {tmp_path}/sums_by_part written, line 4: sums_by_part@1, 2 rows, exact",
        "whence: sums collected, line 5: sums_by_part@1, 2 rows, exact",
    ]


def test_a_query_sees_views_and_gets_a_name(shell: InteractiveShell) -> None:
    shell.run_cell(READ + "parts.createOrReplaceTempView('v')")
    named = shell.run_cell("%%whence sql bolts --workspace ws\nselect * from v where part = 'bolt';").result
    assert (named.name, named.count, named.lineage.exact) == ("bolts", 2, True)
    assert shell.run_cell("%%whence sql --workspace ws\nselect 1 as one").result.name.startswith("out_")


def test_doubts_are_red_and_their_reasons_are_told(shell: InteractiveShell) -> None:
    caveats = [(0, "x", "a <guess>")]
    given = shell.user_ns["ws"].create("given", [("<b>", 1)], schema="k string, x int", cell_caveats=caveats)
    html = extension_of(shell).tables.html(given)
    assert '<td style="color: #c00" title="a &lt;guess&gt;">1</td>' in html
    assert "<td>&lt;b&gt;</td>" in html
    assert "In doubt: a &lt;guess&gt;" in html
    assert "<b>" not in html


def test_an_error_of_the_cell_is_an_error_and_the_magic_refuses_what_it_does_not_know(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(shell.run_cell("%%whence\nx = 1\nx / 0").error_in_exec, ZeroDivisionError)
    assert "----> 2 x / 0" in capsys.readouterr().out
    shell.run_cell("%%whence sql one two\nselect 1")
    assert "%%whence does not know one two." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"dataset": "other", "row": 0, "column": 0}, "This kernel has not shown this table."),
        ({"dataset": 1}, "asks in a way that this kernel does not know"),
    ],
)
def test_a_question_about_anything_else_is_answered_with_a_sentence(
    shell: InteractiveShell, asked: dict[str, object], answer: str
) -> None:
    assert answer in extension_of(shell)._comm.answer(asked)
