"""whence's Java code: compiled once for a machine, and never depending on the file that keeps the classes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import whence
from whence.engine import java_code
from whence.engine.class_archive import VARIABLE
from whence.engine.java_code import load_java_class
from whence.workspace.workspace import Workspace

SOURCE = "package whence; public class Number { public static int value() { return 42; } static class Inner {} }"


@pytest.fixture
def folder(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the classes are kept, once the session has those it starts with."""
    assert ws.spark is not None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path / "cache" / "whence" / "java"


def load(ws: Workspace, source: str = SOURCE) -> tuple[int, bool]:
    """What a method of the class returns, and whether the class came from a file."""
    session: Any = ws.spark
    with patch.object(java_code, "_compile", wraps=java_code._compile) as compiled:
        made = load_java_class(session, "Number", source)
    java, new_array = session._jvm, session.sparkContext._gateway.new_array
    method = made.getMethod("value", new_array(java.java.lang.Class, 0))
    return method.invoke(None, new_array(java.java.lang.Object, 0)), not compiled.called


def test_a_text_is_compiled_once_and_its_classes_are_loaded_from_then_on(ws: whence.Workspace, folder: Path) -> None:
    assert load(ws) == (42, False)
    (file,) = folder.iterdir()
    assert set(java_code._read(file)) == {"whence.Number", "whence.Number$Inner"}
    assert load(ws) == (42, True)
    assert load(ws, SOURCE.replace("42", "43")) == (43, False)
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", ["flipped", "short", "empty", "no archive", "no class"])
def test_a_damaged_file_is_written_anew(ws: whence.Workspace, folder: Path, damage: str) -> None:
    load(ws)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    place = whole.index(b"\xca\xfe\xba\xbe") + 40
    if damage == "no class":
        java_code._write(file, {"whence.Number": b"no class"})
    else:
        file.write_bytes(
            {
                "flipped": whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :],
                "short": whole[: len(whole) // 2],
                "empty": b"",
                "no archive": b"no archive",
            }[damage]
        )
    assert load(ws) == (42, False)
    assert load(ws) == (42, True)


def test_a_folder_that_cannot_be_made_or_is_switched_off_leaves_compiling(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("a file")
    assert load(ws) == load(ws) == (42, False)
    folder.unlink()
    monkeypatch.setenv(VARIABLE, "off")
    assert load(ws) == load(ws) == (42, False)
    assert not folder.exists()


def test_only_the_newest_files_stay(ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java_code, "MOST_FILES", 2)
    folder.mkdir(parents=True)
    for number in range(3):
        file = folder / f"old{number}.classes"
        file.write_bytes(b"")
        os.utime(file, (number, number))
    load(ws)
    names = {file.name for file in folder.iterdir()}
    assert len(names) == 2
    assert "old2.classes" in names


def test_jars_that_are_others_have_a_file_of_their_own(
    ws: whence.Workspace, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(ws)
    (tmp_path / "spark" / "jars").mkdir(parents=True)
    (tmp_path / "spark" / "jars" / "spark.jar").write_text("another Spark")
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    assert load(ws) == (42, False)
    assert len(list(folder.iterdir())) == 2
