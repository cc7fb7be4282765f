"""Syncs that run side by side."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from whence.store.durable import HashingFile, Syncs, write_file


def test_thousands_of_syncs_keep_few_files_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may open 1,024 files on many machines, and a dataset may have more parts."""
    folders = [tmp_path / str(number) for number in range(400)]
    for folder in folders:
        folder.mkdir()
    sync, open_files = os.fsync, []

    def sync_slowly(descriptor: int) -> None:
        open_files.append(len(os.listdir("/proc/self/fd")))
        time.sleep(0.002)
        sync(descriptor)

    def fill(file: HashingFile) -> None:
        file.write(b"x")

    monkeypatch.setattr(os, "fsync", sync_slowly)
    before = len(os.listdir("/proc/self/fd"))
    with Syncs() as syncs:
        for folder in folders:
            write_file(folder / "part", fill, "sync-part", syncs)
            syncs.directory(folder)
        syncs.wait()
    assert len(open_files) == 2 * len(folders)
    assert max(open_files) - before < 100


def test_a_folder_is_synced_though_it_is_renamed_meanwhile(tmp_path: Path) -> None:
    with Syncs() as syncs:
        for number in range(50):
            folder = tmp_path / f"{number}.new"
            folder.mkdir()
            syncs.directory(folder)
            folder.rename(tmp_path / str(number))
        syncs.wait()
