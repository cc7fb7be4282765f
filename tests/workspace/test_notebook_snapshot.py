"""A reader of a notebook sees one version of it, whatever editors do in the meantime."""

from __future__ import annotations

import threading
from pathlib import Path

import whence
from whence.server.notebooks import notebook_view


def test_a_snapshot_answers_for_cells_that_are_gone(tmp_path: Path) -> None:
    with whence.open(tmp_path / "ws") as ws:
        notebook = ws.notebook("n")
        cell = notebook.append("markdown", source="# One")
        notebook.run().wait()
        before = notebook.snapshot()
        notebook.delete(cell)
        assert [(each.id, each.source, each.status) for each in before.cells] == [(cell.id, "# One", "ready")]
        assert (before.version, notebook.snapshot().cells) == (1, [])


def test_reading_beside_an_editor_never_fails(tmp_path: Path) -> None:
    with whence.open(tmp_path / "ws") as ws:
        notebook = ws.notebook("n")
        notebook.delete(notebook.append("markdown", source="# One"))
        full, empty, is_over = 1, 2, threading.Event()

        def edit() -> None:
            for _ in range(60):
                notebook.restore(full)
                notebook.restore(empty)
            is_over.set()

        editor = threading.Thread(target=edit)
        editor.start()
        counts = set()
        while not is_over.is_set():
            counts.add(len(notebook_view(notebook).cells))
        editor.join()
        assert counts == {0, 1}
