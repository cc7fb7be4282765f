"""The size of a folder is counted while Spark writes into it and takes folders away again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from whence.engine.size_watch import size_of


def test_all_files_below_a_folder_count(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "one").write_bytes(b"x" * 10)
    (tmp_path / "a" / "b" / "two").write_bytes(b"x" * 32)
    assert size_of(tmp_path) == 42
    assert size_of(tmp_path / "missing") == 0


def test_a_folder_that_goes_while_it_is_looked_at_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kept").write_bytes(b"x" * 10)
    for name in ("task-1", "task-2"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "file").write_bytes(b"x")
    scan = os.scandir

    def scan_late(path: str | os.PathLike[str]) -> Iterator[os.DirEntry[str]]:
        if Path(path).name == "inner":  # it was listed, and is gone now
            Path(path, "file").unlink()
            Path(path).rmdir()
        return scan(path)

    monkeypatch.setattr(os, "scandir", scan_late)
    assert size_of(tmp_path) == 10
