"""Storage outside the workspace folder: what lies where; storage that is gone, moved, or shared by copies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import whence
from whence.model.errors import BadInput, DamagedFile, UserError
from whence.store.doctor import doctor


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A workspace with one dataset, a source file and a sorted view, whose storage is elsewhere."""
    (tmp_path / "t.csv").write_text("x\n2\n1\n")
    with whence.open(tmp_path / "w", storage=tmp_path / "big") as ws:
        ws.load(tmp_path / "t.csv").view(sort=["x"]).rows(0, 1)
    return tmp_path / "w"


def folder_of(workspace: Path) -> Path:
    (folder,) = (workspace.parent / "big").iterdir()
    return folder


def test_datasets_lie_in_storage_and_the_database_in_the_workspace(sample: Path) -> None:
    assert {path.name for path in folder_of(sample).iterdir()} == {
        "datasets",
        "lineage",
        "staging",
        "tmp",
        "opening",
    }
    assert not (sample / "datasets").exists()
    with whence.open(sample) as ws:
        assert ws["t"].to_arrow().to_pydict() == {"x": [2, 1]}
        assert doctor(ws._context.store) == []
        assert ws._context.store.usage().datasets[0].data > 0


def test_forgetting_reaches_the_storage(sample: Path) -> None:
    with whence.open(sample) as ws:
        ws.forget("t")
        assert doctor(ws._context.store) == []
    assert not list((folder_of(sample) / "datasets").iterdir())


def test_what_a_crash_left_in_storage_is_set_aside_there(sample: Path) -> None:
    folder = folder_of(sample)
    (folder / "staging" / "half").mkdir()
    (folder / "datasets" / "unknown").mkdir()
    with whence.open(sample) as ws:
        assert ws["t"].count == 2
        assert doctor(ws._context.store) == []
    assert not list((folder / "staging").iterdir())
    assert (folder / "quarantine" / "datasets" / "unknown").exists()


def test_two_workspaces_share_a_place_without_meeting(sample: Path) -> None:
    with whence.open(sample.parent / "other", storage=sample.parent / "big") as other:
        other.create("t", [(1,)], schema="x int")
    with whence.open(sample) as ws:
        assert ws["t"].count == 2
    with whence.open(sample.parent / "other") as other:
        assert other["t"].count == 1


def test_storage_that_is_not_there_is_an_error_and_may_be_elsewhere_now(sample: Path) -> None:
    (sample.parent / "big").rename(sample.parent / "moved")
    with pytest.raises(UserError, match="is not there"):
        whence.open(sample)
    with whence.open(sample, storage=sample.parent / "moved") as ws:
        assert ws["t"].count == 2
    with whence.open(sample) as ws:
        assert ws["t"].count == 2


def test_an_old_copy_of_a_workspace_cannot_clear_away_what_was_made_since(sample: Path) -> None:
    shutil.copytree(sample, sample.parent / "copy")
    with whence.open(sample) as ws:
        ws.create("later", [(1,)], schema="x int")
    with pytest.raises(UserError, match="was used since by another copy"):
        whence.open(sample.parent / "copy")
    with whence.open(sample) as ws:
        assert ws["later"].count == 1


def test_storage_is_chosen_when_a_workspace_is_made(tmp_path: Path) -> None:
    with whence.open(tmp_path / "w") as ws:
        ws.create("t", [(1,)], schema="x int")
    with pytest.raises(UserError, match="keeps its datasets in its own folder"):
        whence.open(tmp_path / "w", storage=tmp_path / "big")
    with pytest.raises(BadInput, match="Storage is a folder"):
        whence.open(tmp_path / "v", storage="s3a://bucket/x")
    with whence.open(tmp_path / "w") as ws:
        assert ws["t"].count == 1


def test_a_flipped_bit_in_the_note_is_found(sample: Path) -> None:
    note = sample / "storage.json"
    data = note.read_bytes()
    place = data.index(b"big")
    note.write_bytes(data[:place] + b"bag" + data[place + 3 :])
    with pytest.raises(DamagedFile, match="is not what was written"):
        whence.open(sample)
