"""The kernel as Jupyter starts it: cells by the wire, highlights by the comm."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

manager = pytest.importorskip("jupyter_client.manager")
install = pytest.importorskip("whence.staleness.jupyter.install")
pytest.importorskip("ipykernel")


class Front:
    """A front end that opens the comm and runs cells."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 - a client of Jupyter, which is not typed
        self.client = client
        self._send("comm_open", {"comm_id": "1", "target_name": "whence.safety", "data": {}}, {})

    def _send(self, kind: str, content: dict[str, object], metadata: dict[str, str]) -> str:
        message = self.client.session.msg(kind, content, metadata=metadata)
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def run(self, cell: str | None, code: str) -> str:
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
        sent = self._send("execute_request", content, {} if cell is None else {"cellId": cell})
        while True:
            reply = self.client.get_shell_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == sent:
                return str(reply["content"]["status"])

    def printed(self) -> str:
        """What the cells have printed since the last look."""
        parts: list[str] = []
        try:
            while True:
                message = self.client.get_iopub_msg(timeout=1)
                if message["msg_type"] == "stream":
                    parts.append(message["content"]["text"])
        except queue.Empty:
            return "".join(parts)

    def highlights(self) -> dict[str, object]:
        last: dict[str, object] = {}
        try:
            while True:
                message = self.client.get_iopub_msg(timeout=1)
                if message["msg_type"] == "comm_msg":
                    last = message["content"]["data"]
        except queue.Empty:
            return last


@pytest.fixture
def front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Front]:
    install.install_kernel(prefix=str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share" / "jupyter"))
    kernel, client = manager.start_new_kernel(kernel_name=install.NAME)
    yield Front(client)
    client.stop_channels()
    kernel.shutdown_kernel(now=True)
    kernel.cleanup_resources()
    kernel.context.destroy()


@pytest.mark.filterwarnings("default")  # the messaging libraries leave sockets to the garbage collector
def test_a_jupyter_kernel_tells_its_front_end_what_is_out_of_date(front: Front) -> None:
    cells = [("c1", "a = 4"), ("c2", "b = a"), ("c3", "print(a + b)"), ("c1", "a = 5")]
    assert [front.run(cell, code) for cell, code in cells] == ["ok"] * 4
    found = front.highlights()
    assert (found["stale"], found["fresh"], found["refresher"]) == (["c3"], ["c2"], ["c2"])


@pytest.mark.filterwarnings("default")
def test_a_kernel_that_gets_no_cell_ids_goes_by_the_number_in_brackets(front: Front) -> None:
    assert [front.run(None, code) for code in ["a = 4", "b = a", "%safety slice b"]] == ["ok"] * 3
    assert front.printed() == "# cell In[1], run 1\na = 4\n\n# cell In[2], run 2\nb = a\n\n"
