"""A process that forgets a row may die at any moment: nothing is forgotten, or the next opening finishes it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

import whence
from tests.store.needles import places
from tests.workspace import forgetting_rows
from tests.workspace.forgetting_rows import NEEDLE, fill
from whence.model.ids import DatasetId
from whence.store import faults
from whence.store.certificates import page_path, read_certificates
from whence.store.database import Database
from whence.store.doctor import doctor
from whence.store.layout import Layout
from whence.store.replace import replace_versions
from whence.store.store import Store
from whence.workspace.forgetting.forget_rows import forget_rows

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.workspace.forgetting_rows"])


def die_at(root: Path, point: str) -> None:
    process = FORKS.Process(target=forgetting_rows.forget, args=(root, point))
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"


@pytest.mark.parametrize("storage", [None, "big"], ids=["own folder", "shared storage"])
@pytest.mark.parametrize("point", faults.points(faults.FORGET_ROWS_ACTIONS))
def test_a_kill_at_any_moment_leaves_all_or_nothing(tmp_path: Path, point: str, storage: str | None) -> None:
    root, shared = tmp_path / "w", None if storage is None else tmp_path / storage
    fill(root, shared)
    die_at(root, point)
    store = Store.open(root)
    try:
        assert doctor(store) == []
        people = store.current("people")
        names = store.read(people, 0, people.rows).column("name").to_pylist()
        edited = store.current("edited")
        shown = store.read(edited, 0, edited.rows).column("name").to_pylist()
        certificates = read_certificates(store.layout)
        if NEEDLE in names:
            assert (names, certificates) == (["Ada", NEEDLE, "Cy"], [])
            assert [each.row for each in store.caveats(people)] == [1, 2]
            assert store.current("copy").rows == 3
            assert shown == ["Ada", f"{NEEDLE} again", "Dee"]
        else:
            assert (people.label, names) == ("people@1", ["Ada", "Cy"])
            assert [(each.row, each.message) for each in store.caveats(people)] == [(1, "smudged")]
            assert [record.name for record in store.datasets()] == ["people", "other", "edited"]
            assert (edited.label, shown) == ("edited@1", ["Ada", "Dee"])
            assert [each.state for each in certificates] == ["done"]
            assert page_path(store.layout, certificates[0]).exists()
            assert places(root, NEEDLE) == set()
            assert shared is None or places(shared, NEEDLE) == set()
        has_begun = point.partition("-")[2] in ("remove-forgotten", "scrub-database", "commit-removals")
        assert (NEEDLE not in names) == (
            has_begun or point in ("after-commit-forget", *faults.points(("finish-certificate",)))
        )
    finally:
        store.close()


@pytest.mark.parametrize("storage", [None, "big"], ids=["own folder", "shared storage"])
def test_all_that_was_made_is_on_the_disk_before_it_takes_the_place_of_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, storage: str | None
) -> None:
    """A power cut loses what was not synced; files are known by their inodes, as they are renamed afterwards."""
    fill(tmp_path / "w", None if storage is None else tmp_path / storage)
    synced: set[int] = set()
    looked_at: set[str] = set()
    sync = os.fsync

    def sync_and_note(descriptor: int) -> None:
        sync(descriptor)
        synced.add(os.fstat(descriptor).st_ino)

    def replace_and_check(
        database: Database, layout: Layout, new: dict[DatasetId, DatasetId], others: Sequence[DatasetId]
    ) -> None:
        folders = [layout.dataset(each) for each in new.values()]
        made = [layout.datasets, layout.certificates, *folders]
        made += [path for folder in (*folders, layout.certificates) for path in folder.rglob("*")]
        assert [path for path in made if path.stat().st_ino not in synced] == []
        looked_at.update(path.name for path in made)
        replace_versions(database, layout, new, others)

    with whence.open(tmp_path / "w") as workspace:
        plan = forgetting_rows.plan_of(*(workspace[name].record for name in ("people", "copy", "edited")))
        monkeypatch.setattr(os, "fsync", sync_and_note)
        monkeypatch.setattr("whence.store.forgetting.replace_versions", replace_and_check)
        forget_rows(workspace["people"].context, plan, f"name = '{NEEDLE}'")
    assert {"part.parquet", "manifest.json", "caveats.parquet", "forgotten.json", "rows"} <= looked_at
    assert any(name.endswith(".json") and len(name) == len("0123456789abcdef.json") for name in looked_at)
