from __future__ import annotations

import json
import multiprocessing
import random
import signal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.store import forgetting
from tests.store.forgetting import NEEDLE, fill
from tests.store.making import make
from tests.store.needles import places
from whence.model.errors import UnknownDataset, UserError
from whence.store import faults
from whence.store.doctor import doctor
from whence.store.forgotten import CAVEAT, ForgottenRecord
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.store.forgetting"])


def test_the_needle_is_found_wherever_it_was_put_before_it_is_forgotten(store: Store, tmp_path: Path) -> None:
    """The search below would prove nothing if it could not find what is there."""
    secret, _, _ = fill(store, tmp_path)
    store.close()
    found = places(store.root, NEEDLE)
    folder = f"datasets/{secret.id}"
    assert {"meta.db", f"{folder}/manifest.json", f"{folder}/caveats.parquet", f"{folder}/load_report.json"} <= found
    assert f"{folder}/rows/__whence_offset=0/part.parquet" in found
    assert any(path.startswith("files/") for path in found)
    assert any(path.startswith("tmp/profiles/") for path in found)


def test_nothing_of_a_forgotten_dataset_is_left_in_any_file(store: Store, tmp_path: Path) -> None:
    secret, child, other = fill(store, tmp_path)
    assert store.forgetting.forget([secret], keep_dependants=True) == [secret]
    assert places(store.root, NEEDLE) == set()  # while the workspace is open, its log included
    assert doctor(store) == []
    assert store.datasets() == [store.by_id(child.id), other]
    assert store.read(child, 0, 2).to_pydict() == {"n": [19, 1]}
    store.close()
    assert places(store.root, NEEDLE) == set()
    with pytest.raises(UnknownDataset):
        reopened(store, f"people {NEEDLE}")


def reopened(store: Store, name: str) -> None:
    again = Store.open(store.root)
    try:
        again.current(name)
    finally:
        again.close()


@pytest.mark.parametrize("point", faults.points(faults.FORGET_ACTIONS))
def test_a_kill_at_any_point_leaves_all_or_nothing(tmp_path: Path, point: str) -> None:
    store = Store.open(tmp_path / "w")
    secret, child, _ = fill(store, tmp_path)
    store.close()
    process = FORKS.Process(target=forgetting.forget, args=(tmp_path / "w", point))
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"
    store = Store.open(tmp_path / "w")
    try:
        assert doctor(store) == []
        names = [record.name for record in store.datasets()]
        assert store.read(store.current("lengths"), 0, 2).to_pydict() == {"n": [19, 1]}
        if point == "before-commit-forget":
            assert names == [secret.name, "lengths", "other"]
            assert store.read(secret, 0, 1).to_pylist() == [{"name": NEEDLE, NEEDLE: 1}]
            assert store.by_id(child.id).parents == (secret.id,)
        else:
            assert names == ["lengths", "other"]
            assert places(store.root, NEEDLE) == set()
    finally:
        store.close()


def kill_while_forgetting(root: Path, delay: float) -> bool:
    """Kill a process some moments after it began to forget; whether it had said that it was done."""
    ours, theirs = FORKS.Pipe()
    process = FORKS.Process(target=forgetting.forget_and_tell, args=(root, theirs))
    process.start()
    assert ours.recv() == "begin"
    is_done = ours.poll(delay)
    process.kill()
    process.join(30)
    return is_done


def check_random_kills(folder: Path, delays: list[float]) -> None:
    outcomes = set()
    for number, delay in enumerate(delays):
        (folder / str(number)).mkdir()
        store = Store.open(folder / str(number) / "w")
        fill(store, folder / str(number))
        store.close()
        is_done = kill_while_forgetting(store.root, delay)
        store = Store.open(store.root)
        is_there = f"people {NEEDLE}" in [record.name for record in store.datasets()]
        assert doctor(store) == []
        assert is_there or places(store.root, NEEDLE) == set()
        assert not (is_done and is_there), "what was acknowledged must last"
        store.close()
        outcomes.add(is_there)
    assert outcomes == {True, False}, "the kills came all too early or all too late"


def test_kills_at_random_moments_leave_all_or_nothing(tmp_path: Path) -> None:
    check_random_kills(tmp_path, [0.0, 0.002, 0.005, 0.02, 5.0])


@pytest.mark.long
def test_many_kills_at_random_moments_leave_all_or_nothing(tmp_path: Path) -> None:
    check_random_kills(tmp_path, [random.Random(n).uniform(0, 0.1) for n in range(60)])


def test_a_dataset_others_were_made_from_is_not_forgotten_by_accident(store: Store, tmp_path: Path) -> None:
    secret, child, _ = fill(store, tmp_path)
    make(store, "grandchild", pa.table({"m": [1]}), parents=[child.id])
    before = store.datasets()
    with pytest.raises(UserError, match=r"lengths@1, grandchild@1 were made from it\. Pass also_dependants=True"):
        store.forgetting.forget([secret])
    assert store.datasets() == before
    assert store.read(secret, 0, 2).num_rows == 2


def test_dependants_go_as_well_when_asked(store: Store, tmp_path: Path) -> None:
    secret, child, other = fill(store, tmp_path)
    grandchild = make(store, "grandchild", pa.table({"m": [1]}), parents=[child.id, other.id])
    assert store.forgetting.forget([secret], also_dependants=True) == [secret, child, grandchild]
    assert store.datasets() == [other]
    assert doctor(store) == []


def test_a_forgotten_dataset_stays_as_a_nameless_mark(store: Store, tmp_path: Path) -> None:
    secret, child, _ = fill(store, tmp_path)
    store.forgetting.forget([secret], keep_dependants=True)
    left = store.by_id(secret.id)
    assert isinstance(left, ForgottenRecord)
    assert (left.label, left.rows, left.schema.names) == ("a forgotten dataset", 2, ())
    assert store.caveats(left) == [CAVEAT]
    assert store.document(left, "lineage") is None
    assert store.arrays(left, "part0") is None
    assert store.by_id(child.id).parents == ()
    for stale in (left, secret):
        with pytest.raises(UnknownDataset, match="was forgotten: its rows are gone for good"):
            store.read(stale, 0, 1)
        with pytest.raises(UnknownDataset, match="was forgotten"):
            store.take(stale, np.array([0]))


def test_one_version_goes_and_the_others_stay(store: Store, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("shared")
    source = store.add_file(tmp_path / "s.csv")
    first = make(store, "t", pa.table({"a": [1]}), sources=[source])
    second = make(store, "t", pa.table({"a": [2]}), sources=[source])
    store.forgetting.forget([first])
    assert store.versions("t") == [second]
    assert (store.root / source.path).exists(), "the second version was made from it, too"
    store.forgetting.forget([second])
    assert not (store.root / source.path).exists()
    assert doctor(store) == []


def test_what_a_crash_had_set_aside_goes_as_well(store: Store, tmp_path: Path) -> None:
    secret, _, other = fill(store, tmp_path)
    aside = store.root / "quarantine" / "datasets"
    aside.mkdir(parents=True)
    for number, record in enumerate((secret, other)):
        (aside / f"copy{number}").mkdir()
        manifest = store.layout.dataset(record.id) / "manifest.json"
        (aside / f"copy{number}" / "manifest.json").write_bytes(manifest.read_bytes())
    store.forgetting.forget([secret], keep_dependants=True)
    assert [path.name for path in aside.iterdir()] == ["copy1"]
    assert places(store.root, NEEDLE) == set()


def test_what_was_made_from_it_and_set_aside_goes_at_any_distance(store: Store, tmp_path: Path) -> None:
    """Scratch that lies in the trash under a name of its own may hold copies of the rows."""
    secret, _, other = fill(store, tmp_path)
    aside = store.root / "trash" / "2026-01-02" / "datasets"
    manifest = json.loads((store.layout.dataset(other.id) / "manifest.json").read_bytes())
    for identity, parent in (("grandchild", "child"), ("child", secret.id), ("stranger", other.id)):
        (aside / identity).mkdir(parents=True)
        own = {**manifest, "id": identity, "name": identity, "parents": [parent], "sources": []}
        (aside / identity / "manifest.json").write_text(json.dumps(own), encoding="utf-8")
    store.forgetting.forget([secret], keep_dependants=True)
    assert [path.name for path in aside.iterdir()] == ["stranger"]


@pytest.mark.parametrize("place", ["quarantine", "trash/2026-01-02"])
def test_hashes_of_hidden_keys_that_were_set_aside_go_as_well(store: Store, tmp_path: Path, place: str) -> None:
    """Whoever guesses a value could tell from its hash that it was there, and no record says what it was made from."""
    secret, _, _ = fill(store, tmp_path)
    aside = store.root / place / "lineage" / "grouped"
    aside.mkdir(parents=True)
    for name in ("rowkeys.arrow", "part0.arrow"):
        (aside / name).write_bytes(b"x")
    store.forgetting.forget([secret], keep_dependants=True)
    assert [path.name for path in aside.iterdir()] == ["part0.arrow"]
    assert doctor(store) == []


def test_nothing_is_forgotten_while_a_dataset_is_being_made(store: Store, tmp_path: Path) -> None:
    _, _, other = fill(store, tmp_path)
    run = store.begin("sql", "more")
    with pytest.raises(UserError, match="being made right now"):
        store.forgetting.forget([other])
    store.abandon(run, "")
    store.forgetting.forget([other])
