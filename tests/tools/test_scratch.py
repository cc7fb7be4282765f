from __future__ import annotations

from pathlib import Path

import pytest

from tools.scratch import FREE_MEMORY, PYTEST_ROOT, scratch_environment


def memory(folder: Path, free: int) -> Path:
    """Write what Linux says about its memory."""
    path = folder / "meminfo"
    path.write_text(f"MemTotal:       99999999 kB\nMemAvailable:   {free >> 10} kB\n", encoding="ascii")
    return path


@pytest.fixture(autouse=True)
def _asked_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTEST_ROOT, raising=False)


def a_mount(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int) -> Path:
    """Return a folder that passes for a file system with so much room."""
    monkeypatch.setattr(Path, "is_mount", lambda path: path == tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free})())
    return tmp_path


def test_workspaces_of_tests_lie_in_memory_where_there_is_plenty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = a_mount(monkeypatch, tmp_path, 20 << 30)
    assert scratch_environment(place, memory(tmp_path, FREE_MEMORY))[PYTEST_ROOT] == str(place)


@pytest.mark.parametrize(("files", "free"), [(20 << 30, FREE_MEMORY - 1024), (64 << 20, 64 << 30)])
def test_little_memory_or_few_files_leave_them_on_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: int, free: int
) -> None:
    place = a_mount(monkeypatch, tmp_path, files)
    assert PYTEST_ROOT not in scratch_environment(place, memory(tmp_path, free))


def test_a_system_without_memory_files_leaves_them_on_the_disk(tmp_path: Path) -> None:
    assert PYTEST_ROOT not in scratch_environment(tmp_path, memory(tmp_path, 64 << 30))
    assert PYTEST_ROOT not in scratch_environment(tmp_path / "none", tmp_path / "none")


def test_who_names_a_folder_gets_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(PYTEST_ROOT, "/elsewhere")
    place = a_mount(monkeypatch, tmp_path, 20 << 30)
    assert scratch_environment(place, memory(tmp_path, 64 << 30))[PYTEST_ROOT] == "/elsewhere"
