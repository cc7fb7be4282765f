from __future__ import annotations

from pathlib import Path

import pytest

import whence
from whence.engine.hadoop import fetch_files
from whence.loading import anywhere
from whence.model.errors import BadInput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "far"
    (made / "deep").mkdir(parents=True)
    (made / "a.csv").write_text("a\n1\n")
    (made / "deep" / "b.csv").write_text("a\n2\n")
    (made / "_SUCCESS").write_text("")
    return made


def test_the_files_of_a_place_are_brought_here_in_order(ws: whence.Workspace, folder: Path, tmp_path: Path) -> None:
    assert [file.name for file in fetch_files(ws.spark, folder.as_uri(), tmp_path / "1")] == [
        "00000-a.csv",
        "00001-b.csv",
    ]
    (one,) = fetch_files(ws.spark, f"{folder.as_uri()}/a*.csv", tmp_path / "2")
    assert one.read_text() == "a\n1\n"
    assert sorted(file.name for file in (tmp_path / "1").iterdir()) == ["00000-a.csv", "00001-b.csv"]
    for place in (f"{folder.as_uri()}/none.csv", "nosuch://host/x.csv"):
        with pytest.raises(BadInput, match=r"There is no file|cannot be read"):
            fetch_files(ws.spark, place, tmp_path / "3")


def test_a_far_place_is_loaded_as_one_dataset_and_named_in_the_report(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = fetch_files

    def far(session: object, address: str, target: Path) -> list[Path]:
        assert address == "s3a://bucket/far"
        return near(ws.spark, folder.as_uri(), target)

    monkeypatch.setattr(anywhere, "fetch_files", far)
    dataset = ws.load("s3a://bucket/far")
    assert (dataset.name, dataset.to_arrow().to_pydict()) == ("far", {"a": [1, 2]})
    report = dataset.load_report
    assert report is not None
    assert report.source.path == "s3a://bucket/far"
    assert [(file.path, file.first_row, file.rows) for file in report.files] == [
        ("00000-a.csv", 0, 1),
        ("00001-b.csv", 1, 1),
    ]
