from __future__ import annotations

import multiprocessing
import os
import signal
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from tests.store import forgetting
from tests.store.making import make
from whence.model.errors import UnknownDataset
from whence.store import faults
from whence.store.doctor import doctor
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.store.forgetting"])
TWO_DAYS = 2 * 86_400


def age(path: Path) -> None:
    os.utime(path, (time.time() - TWO_DAYS,) * 2)


@pytest.fixture
def littered(store: Store, tmp_path: Path) -> Store:
    """A used and an unused source file and a folder in quarantine, all old."""
    for name in ("used", "unused"):
        (tmp_path / name).write_text(name * 10)
    used, unused = store.add_file(tmp_path / "used"), store.add_file(tmp_path / "unused")
    make(store, "t", pa.table({"a": [1]}), sources=[used])
    stray = store.root / "quarantine" / "datasets" / "stray"
    stray.mkdir(parents=True)
    (stray / "part").write_bytes(b"x" * 100)
    for path in (stray, store.root / used.path, store.root / unused.path):
        age(path)
    return store


def names(store: Store, *, dry_run: bool = True) -> list[tuple[str, int]]:
    return [(item.path.parent.name, item.bytes) for item in store.collect_garbage(dry_run=dry_run)]


def test_a_dry_run_lists_what_nothing_uses_and_moves_nothing(littered: Store) -> None:
    before = sorted(littered.root.rglob("*"))
    assert names(littered) == [("datasets", 100), ("files", 60)]
    assert sorted(littered.root.rglob("*")) == before


def test_garbage_goes_to_the_trash_of_the_day(littered: Store) -> None:
    names(littered, dry_run=False)
    today = littered.root / "trash" / datetime.now(UTC).date().isoformat()
    assert (today / "datasets" / "stray" / "part").exists()
    assert len(list((today / "files").iterdir())) == 1
    assert names(littered) == []
    assert doctor(littered) == []
    assert len(list((littered.root / "files").iterdir())) == 1


def test_trash_is_deleted_after_a_week(littered: Store) -> None:
    day = datetime.now(UTC).date()
    for back in (6, 7, 8):
        folder = littered.root / "trash" / (day - timedelta(days=back)).isoformat() / "datasets" / "x"
        folder.mkdir(parents=True)
    littered.collect_garbage(dry_run=False)
    left = {date.fromisoformat(path.name) for path in (littered.root / "trash").iterdir()}
    assert left == {day, day - timedelta(days=6)}


def test_what_is_young_is_left_alone(littered: Store) -> None:
    for path in (*(littered.root / "quarantine/datasets").iterdir(), *(littered.root / "files").iterdir()):
        os.utime(path)
    assert names(littered, dry_run=False) == []


def test_nothing_is_collected_while_a_run_may_come_to_use_it(littered: Store) -> None:
    run = littered.begin("load", "more")
    assert names(littered, dry_run=False) == []
    littered.abandon(run, "")
    assert len(names(littered)) == 2


def test_a_source_that_went_to_the_trash_can_be_loaded_again(littered: Store, tmp_path: Path) -> None:
    littered.collect_garbage(dry_run=False)
    again = littered.add_file(tmp_path / "unused")
    assert (littered.root / again.path).read_text() == "unused" * 10
    assert doctor(littered) == []


@pytest.mark.parametrize("point", faults.points(faults.GARBAGE_ACTIONS))
def test_a_kill_while_collecting_leaves_a_whole_workspace(littered: Store, point: str) -> None:
    littered.close()
    process = FORKS.Process(target=forgetting.collect, args=(littered.root, point))
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"
    again = Store.open(littered.root)
    assert doctor(again) == []
    again.collect_garbage(dry_run=False)
    assert again.read(again.current("t"), 0, 1).to_pylist() == [{"a": 1}]
    assert doctor(again) == []
    again.close()


def test_what_was_read_of_a_damaged_file_goes_with_garbage_and_with_what_is_forgotten(littered: Store) -> None:
    for name in ("T", "other"):
        folder = littered.layout.aside(name)
        folder.mkdir(parents=True)
        (folder / "t.csv-until-damage").write_text("a\n1\n")
    assert littered.layout.aside("t") == littered.layout.aside("T")
    littered.forgetting.forget(littered.versions("t"))
    assert [path.name for path in littered.layout.asides.iterdir()] == [littered.layout.aside("other").name]
    os.utime(littered.layout.aside("other"), (0, 0))
    assert any(item.why == "what could be read of a damaged file" for item in littered.collect_garbage(dry_run=False))
    assert list(littered.layout.asides.iterdir()) == []


def test_what_is_only_looked_at_is_listed_nowhere_and_goes_when_it_is_old(store: Store) -> None:
    source = make(store, "t", pa.table({"a": [1]}))
    make(store, "drawn", pa.table({"a": [1]}), parents=[source.id])
    with store.making_scratch():
        seen, used = (make(store, "drawn", pa.table({"a": [n]}), parents=[source.id]) for n in (2, 3))
    child = make(store, "child", pa.table({"a": [3]}), parents=[used.id])
    assert [record.label for record in store.datasets()] == ["t@1", "drawn@1", "child@1"]
    assert [record.version for record in store.versions("drawn")] == [1]
    assert [record.id for record in store.scratch_versions("drawn")] == [seen.id, used.id]
    assert [record.label for record in store.children(source.id)] == ["drawn@1"]
    assert store.version("drawn", 2) == seen, "it is there by its number"
    store.drop_scratch(timedelta(hours=1))
    assert store.version("drawn", 2) == seen, "it is young"
    assert [(item.path.name, item.why) for item in store.collect_garbage()] == [(seen.id, "drawn, but not kept")]
    store.drop_scratch(timedelta(0))
    with pytest.raises(UnknownDataset, match="drawn has no version 2"):
        store.version("drawn", 2)
    assert store.by_id(child.id).parents == (used.id,), "what something was made from stays"
    assert doctor(store) == []


def test_what_is_only_looked_at_goes_with_what_it_was_made_from(store: Store) -> None:
    source = make(store, "t", pa.table({"a": [1]}))
    with store.making_scratch():
        seen = make(store, "drawn", pa.table({"a": [2]}), parents=[source.id])
    assert [record.id for record in store.forgetting.forget([source])] == [source.id, seen.id]
    assert store.datasets() == []
    assert doctor(store) == []
