"""The IPython extension, the comm protocol and the kernel spec."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("IPython")
pytest.importorskip("ipykernel")

from IPython.core.interactiveshell import InteractiveShell

from whence.safety import load_ipython_extension, unload_ipython_extension
from whence.staleness.jupyter.extension import Extension
from whence.staleness.jupyter.install import DISPLAY_NAME, NAME, install_kernel
from whence.staleness.jupyter.messages import highlights_message


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    assert shell.history_manager is not None
    shell.history_manager.enabled = False
    load_ipython_extension(shell)
    yield shell
    unload_ipython_extension(shell)
    shell.history_manager.end_session()


def extension_of(shell: InteractiveShell) -> Extension:
    loaded: Extension = shell.whence_safety  # type: ignore[attr-defined]  # the extension sets it
    return loaded


def run(shell: InteractiveShell, **cells: str) -> None:
    for cell, text in cells.items():
        shell.run_cell(text, cell_id=cell)
    assert extension_of(shell).follower.notebook.problems == []


def test_the_extension_highlights_the_cells_of_the_shell(shell: InteractiveShell) -> None:
    run(shell, c1="a = 4", c2="b = a\nfor i in range(3):\n    b += i", c3="c = a + b")
    run(shell, c1="a = 5")
    found = highlights_message(extension_of(shell).follower.notebook)
    assert (found["stale"], found["fresh"], found["refresher"]) == (["c3"], ["c2"], ["c2"])
    assert found["reasons"]["c3"] == "uses `b` from cell c2, which was built with the old `a`; run cell c2 first"


def test_a_failing_cell_and_magics_leave_the_shell_working(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, c1="x = 1\n1 / 0\ny = 2", c2="%time z = x", c3="x = = 1", c4="w = x + 1\nw")
    assert shell.user_ns["w"] == 2
    assert "ZeroDivisionError" in capsys.readouterr().out
    names = extension_of(shell).follower.notebook.lineage.names
    assert "x" in names
    assert "y" not in names


def test_the_magic_prints_reasons_and_upstream(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    run(shell, c1="a = 4", c2="b = a", c3="c = b")
    run(shell, c1="a = 5")
    capsys.readouterr()
    shell.run_cell("%safety", cell_id="m1")
    shell.run_cell("%safety c3", cell_id="m2")
    printed = capsys.readouterr().out
    assert "c3: uses `b` from cell c2" in printed
    assert "c2 -> c3" in printed


def test_unloading_leaves_the_shell_as_it_was() -> None:
    shell = InteractiveShell()
    assert shell.history_manager is not None
    shell.history_manager.enabled = False
    before = type(shell.compile), list(shell.ast_transformers)
    load_ipython_extension(shell)
    unload_ipython_extension(shell)
    assert (type(shell.compile), list(shell.ast_transformers)) == before
    assert shell.find_line_magic("safety") is None
    assert shell.run_cell("1 + 1").result == 2
    shell.history_manager.end_session()


class FakeComm:
    """A front end's end of the line."""

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []

    def send(self, message: dict[str, object]) -> None:
        self.sent.append(message)

    def close(self) -> None:
        self.sent.append({"type": "closed"})

    def on_msg(self, callback: object) -> None:
        pass

    def on_close(self, callback: object) -> None:
        pass


def test_a_front_end_is_told_at_opening_after_runs_and_after_edits(shell: InteractiveShell) -> None:
    server = extension_of(shell).server
    comm = FakeComm()
    server._opened(comm, {})  # type: ignore[arg-type]
    run(shell, c1="a = 1", c2="b = a", c3="print(b)")
    run(shell, c1="a = 2")
    assert comm.sent[-1]["stale"] == ["c3"]
    server.receive({"content": {"data": {"type": "edit", "cell": "c3", "text": "print(a)"}}})
    assert comm.sent[-1]["stale"] == []
    server.receive({"content": {"data": {"type": "edit", "cell": "c3", "text": "print(b)"}}})
    server.receive({"content": {"data": {"type": "upstream", "cell": "c3"}}})
    assert comm.sent[-1] == {"type": "upstream", "version": 1, "cell": "c3", "cells": ["c2", "c3"]}
    server.receive({"content": {"data": {"type": "remove", "cell": "c3"}}})
    assert comm.sent[-1]["stale"] == []
    assert json.loads(json.dumps(comm.sent[-1]))["type"] == "highlights"


def test_the_kernel_is_installed_where_it_is_told(tmp_path: Path) -> None:
    folder = install_kernel(prefix=str(tmp_path))
    spec = json.loads((folder / "kernel.json").read_text())
    assert folder.name == NAME
    assert spec["display_name"] == DISPLAY_NAME
    assert spec["argv"][:3] == [sys.executable, "-m", "whence.staleness.jupyter.kernel"]


def test_reactive_mode_runs_what_becomes_fresh(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    run(shell, c1="a = 1", c2="b = a + 1", c3="print('b is', b)", c4="print('no part in it')", on="%safety reactive on")
    capsys.readouterr()
    run(shell, c1="a = 10")
    assert capsys.readouterr().out == "# cell c2\n# cell c3\nb is 11\n"
    run(shell, bad="c = a", use="if c > 10:\n    raise ValueError('stop')", last="d = a")
    run(shell, c1="a = 20")  # the cell that fails ends the wave
    printed = capsys.readouterr().out
    assert "stop" in printed
    assert printed.count("# cell") == 4
    assert shell.user_ns["d"] == 10
    run(shell, off="%safety reactive off", state="%safety reactive", c1="a = 30")
    assert shell.user_ns["b"] == 21
    assert capsys.readouterr().out == "reactive mode is off\n" * 2


def test_reactive_mode_lets_a_front_end_run_the_cells(shell: InteractiveShell) -> None:
    server = extension_of(shell).server
    comms = FakeComm(), FakeComm()
    for comm in comms:
        server._opened(comm, {})  # type: ignore[arg-type]
    run(shell, c1="a = 1", c2="b = a + 1", c3="c = b", on="%safety reactive on", again="a = 2")
    assert [m["cells"] for m in comms[0].sent if m["type"] == "run"] == [["c2"]]
    run(shell, c2="b = a + 1")  # as the front end does when asked
    assert [m["cells"] for m in comms[0].sent if m["type"] == "run"] == [["c2"], ["c3"]]
    assert [m for m in comms[1].sent if m["type"] == "run"] == []


def test_the_magic_prints_a_slice_and_says_what_it_does_not_know(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, c1="a = 1\nz = 0", c2="b = a")
    capsys.readouterr()
    run(shell, m1="%safety slice b", m2="%safety nothing")
    assert capsys.readouterr().out == (
        "# cell c1, run 1\na = 1\n\n# cell c2, run 2\nb = a\n\n"
        "There is no cell or variable 'nothing'; see %safety? for what to ask.\n"
    )


def test_the_magic_names_cells_by_the_number_in_brackets(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = {"b1f0-11": "a = 4", "b1f0-1": "b = a", "77aa": "c = b"}
    for cell, text in [
        *cells.items(),
        ("b1f0-11", "a = 5"),
        ("m1", "%safety"),
        ("m2", "%safety 3"),
        ("m3", "%safety In[3]"),
    ]:
        shell.run_cell(text, cell_id=cell, store_history=True)
    assert capsys.readouterr().out == (
        "In[2]: would renew what cell In[3] now uses out of date\n"
        "In[3]: uses `b` from cell In[2], which was built with the old `a`; run cell In[2] first\n"
        "In[2] -> In[3]\nIn[2] -> In[3]\n"
    )


def test_cells_without_an_id_go_by_the_number_in_brackets(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ["a = 1", "b = a + 1", "print('b is', b)", "%safety slice b", "%safety reactive on", "a = 10"]:
        shell.run_cell(text, store_history=True)
    assert capsys.readouterr().out == (
        "b is 2\n"
        "# cell In[1], run 1\na = 1\n\n# cell In[2], run 2\nb = a + 1\n\n"
        "reactive mode is on\n"
        "# cell In[2]\n# cell In[3]\nb is 11\n"
    )
    assert extension_of(shell).follower.prompts == {f"In[{number}]": number for number in range(1, 7)}


def test_a_cell_that_leaves_no_history_takes_no_number_from_another(shell: InteractiveShell) -> None:
    shell.run_cell("a = 1", store_history=True)
    shell.run_cell("quiet = a", store_history=False)
    shell.run_cell("b = a", store_history=True)
    texts = {cell: known.text.strip() for cell, known in extension_of(shell).follower.notebook.cells.items()}
    assert texts == {"In[1]": "a = 1", "In[2]": "b = a"}
