"""The notebooks of a workspace, opened from several threads at once, as requests to a server do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import whence


def test_threads_that_open_a_notebook_at_once_get_the_same_one(tmp_path: Path) -> None:
    barrier = Barrier(8)
    with whence.open(tmp_path / "shelf.whence") as ws, ThreadPoolExecutor(8) as threads:

        def open_notebook(_: int) -> int:
            barrier.wait()
            return id(ws.notebook("study"))

        assert len(set(threads.map(open_notebook, range(8)))) == 1
