"""On a disk that takes its time, a write is answered when it is safe, and nobody else waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest

import whence
from tests.server.live import live
from whence.client import Client
from whence.store import database, faults

WAIT = 30


class SlowDisk:
    """Lets one step of a write wait until the test lets it go on, as a disk would."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._point, self._is_reached, self._may_go_on = "", threading.Event(), threading.Event()
        for module in (faults, database):
            patch.setattr(module, "reach", self._reach)

    @contextmanager
    def holding(self, point: str, write: Callable[[], object]) -> Iterator[None]:
        """Run the block while a write stands still at a point; the write must not have been answered by its end."""
        self._point = point
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(write)
            try:
                assert self._is_reached.wait(WAIT), f"nothing came to {point}"
                yield
                assert not answer.done()
            finally:
                self._may_go_on.set()
            answer.result(WAIT)

    def _reach(self, point: str) -> None:
        if point == self._point:
            self._is_reached.set()
            assert self._may_go_on.wait(WAIT), f"the test forgot about {point}"


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> SlowDisk:
    return SlowDisk(monkeypatch)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[whence.Workspace]:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("t", pa.table({"a": [1, 2, 3]}))
        yield ws


def rows(client: Client, name: str) -> list[object]:
    return [row[-1] for row in client.read_page(name).rows]


@pytest.mark.parametrize("point", ["before-commit-edit", "after-commit-edit"])
def test_who_reads_does_not_wait_for_an_edit(workspace: whence.Workspace, disk: SlowDisk, point: str) -> None:
    with live(workspace) as client:
        client.make_notebook(name="book")
        cell = client.add_cell("book", kind="markdown", values={"source": "old"}).cell
        assert cell is not None
        with disk.holding(point, lambda: client.change_cell("book", cell.id, values={"source": "new"})):
            assert rows(client, "t") == [1, 2, 3]
            assert [dataset.name for dataset in client.list_datasets()] == ["t"]
        assert client.read_notebook("book").cells[0].values["source"] == "new"


@pytest.mark.parametrize("point", ["before-sync-part", "before-rename-dataset", "before-commit-dataset"])
def test_who_reads_does_not_wait_for_a_new_dataset(workspace: whence.Workspace, disk: SlowDisk, point: str) -> None:
    with live(workspace) as client:
        with disk.holding(point, lambda: workspace.create("u", pa.table({"b": [4]}))):
            assert rows(client, "t") == [1, 2, 3]
            assert [dataset.name for dataset in client.list_datasets()] == ["t"]
        assert rows(client, "u") == [4]
