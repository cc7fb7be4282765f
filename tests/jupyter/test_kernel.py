"""The magic in a kernel as Jupyter starts it: Spark starts in the cell, tables come as HTML, comms answer clicks."""

from __future__ import annotations

import queue
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

manager = pytest.importorskip("jupyter_client.manager")
install = pytest.importorskip("whence.staleness.jupyter.install")
pytest.importorskip("ipykernel")

SLOW = 200
"""Seconds for a cell that starts Spark on a busy machine."""


class Front:
    """A front end that runs cells and asks about values."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 - a client of Jupyter, which is not typed
        self.client = client

    def run(self, code: str) -> tuple[str, dict[str, str]]:
        """Return what a cell printed, and the last output with HTML."""
        # Otherwise a kernel skips cells that come soon after an error.
        sent = self.client.execute(code, stop_on_error=False)
        printed = ""
        shown: dict[str, str] = {}
        while True:
            message = self.client.get_iopub_msg(timeout=SLOW)
            content = message["content"]
            if message["parent_header"].get("msg_id") != sent:
                continue
            if message["msg_type"] == "stream" and content["name"] == "stdout":
                printed += content["text"]
            if message["msg_type"] == "error":
                raise AssertionError(re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(content["traceback"])))
            shown = content["data"] if "text/html" in content.get("data", {}) else shown
            if message["msg_type"] == "status" and content["execution_state"] == "idle":
                return printed, shown

    def ask(self, comm: str, question: dict[str, object]) -> list[tuple[str, dict[str, Any]]]:
        """Open a comm, and return what the kernel sends on it."""
        opening = {"comm_id": comm, "target_name": "whence.origin", "data": question}
        self.client.shell_channel.send(self.client.session.msg("comm_open", opening))
        found: list[tuple[str, dict[str, Any]]] = []
        while not found or found[-1][0] != "comm_close":
            try:
                message = self.client.get_iopub_msg(timeout=SLOW)
            except queue.Empty:
                break
            if message["content"].get("comm_id") == comm:
                found.append((message["msg_type"], message["content"].get("data", {})))
        return found


@pytest.fixture
def front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Front]:
    install.install_kernel(prefix=str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share" / "jupyter"))
    monkeypatch.delenv("WHENCE_WORKSPACE", raising=False)
    monkeypatch.chdir(tmp_path)
    kernel, client = manager.start_new_kernel(kernel_name=install.NAME, startup_timeout=SLOW)
    yield Front(client)
    client.stop_channels()
    kernel.shutdown_kernel(now=True)
    kernel.cleanup_resources()
    kernel.context.destroy()


CELL = """%%whence
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
parts = spark.read.csv("parts.csv", header=True, inferSchema=True)
sums = parts.groupBy("part").sum("n").orderBy("part")
sums.show()
"""


@pytest.mark.spark
@pytest.mark.filterwarnings("default")  # the messaging libraries leave sockets to the garbage collector
def test_a_cell_of_plain_pyspark_shows_a_table_and_a_click_is_answered(front: Front, tmp_path: Path) -> None:
    (tmp_path / "parts.csv").write_text("part,n\nbolt,1\nnut,2\nbolt,3\n")
    front.run("%load_ext whence")
    printed, shown = front.run(CELL)
    assert printed == f"whence: frames are kept in {tmp_path}/adopted.whence\n"
    assert re.fullmatch(r"<Dataset sums@1: 2 rows x 2 columns>", shown["text/plain"])
    assert "<td>bolt</td><td>4</td>" in shown["text/html"]
    assert "<summary>Where these rows came from</summary>" in shown["text/html"]
    (dataset,) = re.findall(r'data-whence="([^"]+)"', shown["text/html"])
    (kind, answer), (end, _) = front.ask("c1", {"dataset": dataset, "row": 0, "column": 1})
    assert (kind, end, answer["type"], answer["version"]) == ("comm_msg", "comm_close", "origin", 1)
    assert "parts@1: 2 rows of " in answer["html"]
    assert re.findall(r"<th>(line \d)</th>", answer["html"]) == ["line 2", "line 4"]
    printed, shown = front.run("%%whence\nsums")
    assert printed == "", "the folder was said before"
    assert shown["text/plain"] == "<Dataset sums@1: 2 rows x 2 columns>", "the same frame is kept once"
    assert (tmp_path / "adopted.whence" / "meta.db").exists()


@pytest.mark.filterwarnings("default")
def test_an_error_of_the_cell_looks_as_it_does_without_the_magic(front: Front) -> None:
    front.run("%load_ext whence")
    with pytest.raises(AssertionError) as failed:
        front.run("%%whence\nhalf = 2\nhalf / 0\n")
    traceback = str(failed.value)
    assert "----> 2 half / 0" in traceback, "IPython shows the lines of the cell"
    assert "ZeroDivisionError: division by zero" in traceback
    assert "whence/jupyter" not in traceback, "and none of the magic"
    with pytest.raises(AssertionError) as refused:
        front.run("%%whence\nawait half\n")
    assert "A cell with %%whence cannot use await outside a function." in str(refused.value)
