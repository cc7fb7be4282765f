from __future__ import annotations

from pathlib import Path

import pytest

from tools import generated


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One registered file whose maker always says "new"."""
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    monkeypatch.setattr(generated, "GENERATED", {"folder/file.txt": "maker:make"})
    monkeypatch.setattr(generated, "make", {"maker:make": "new\n"}.get)
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / "file.txt"


def test_check_fails_with_the_difference_and_writes_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("old\n")
    assert generated.main("check") == 1
    assert "-old\n+new\n" in capsys.readouterr().out
    assert file.read_text() == "old\n"


def test_write_makes_the_check_pass(file: Path) -> None:
    assert generated.main("write") == 0
    assert file.read_text() == "new\n"
    assert generated.main("check") == 0


def test_makers_are_called_by_name() -> None:
    assert generated.make("os:getcwd") == str(Path.cwd())
