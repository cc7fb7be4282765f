from __future__ import annotations

import multiprocessing
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import inspect

from tests.store import forgetting
from whence.model.errors import NotSupported
from whence.store import faults, migrations
from whence.store.doctor import doctor
from whence.store.durable import hash_file
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.store.forgetting"])
OLD = Path(__file__).parent / "old_workspaces"


@pytest.fixture(params=sorted(path.name for path in OLD.iterdir()))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a workspace as an earlier whence left it."""
    return Path(shutil.copytree(OLD / request.param, tmp_path / "old"))


def check(store: Store) -> None:
    """Everything the stored workspaces hold, whatever their format."""
    towns, twice = store.current("towns"), store.current("twice")
    assert store.read(towns, 0, 9).to_pydict() == {
        "town": ["Ulm", "Bonn", "Jena", "Kiel"],
        "people": [126, None, 111, 247],
    }
    assert store.read(twice, 0, 9).to_pydict() == {
        "town": ["Bonn", "Kiel", "Ulm"],
        "double_people": [None, 494, 252],
    }
    assert twice.parents == (towns.id,)
    assert [caveat.text for caveat in store.caveats(towns)] == ["many"]
    assert store.marks(twice)["double_people"].to_pylist() == [True, False, False]
    assert store.arrays(twice, "part0") is not None
    assert doctor(store) == []


def test_a_workspace_of_every_earlier_format_opens(old: Path) -> None:
    for _ in range(2):
        store = Store.open(old)
        check(store)
        store.close()


def test_a_forgotten_source_leaves_an_old_workspace_whole(old: Path) -> None:
    store = Store.open(old)
    store.forget(store.versions("towns"), keep_dependants=True)
    assert store.read(store.current("twice"), 0, 1).to_pylist() == [{"town": "Bonn", "double_people": None}]
    assert not (old / "backups").exists(), "the backup named what was forgotten"
    assert doctor(store) == []
    store.close()


def test_the_database_is_kept_as_it_was_before_it_is_changed(old: Path) -> None:
    found = sqlite3.connect(old / "meta.db").execute("select format from workspace").fetchone()[0]
    Store.open(old).close()
    backup = old / "backups" / f"meta-format-{found}.db"
    assert backup.with_suffix(".sha256").read_text() == hash_file(backup) + "\n"
    kept = sqlite3.connect(backup)
    assert kept.execute("select format from workspace").fetchone() == (found,)
    assert kept.execute("select name from datasets order by sequence").fetchall() == [("towns",), ("twice",)]
    kept.close()


def test_a_new_and_a_migrated_database_have_the_same_form(old: Path, tmp_path: Path) -> None:
    forms = []
    for root in (old, tmp_path / "new"):
        store = Store.open(root)
        with store.database.read() as connection:
            found = inspect(connection)
            forms.append(
                {name: [str(column) for column in found.get_columns(name)] for name in found.get_table_names()}
            )
        store.close()
    assert forms[0] == forms[1]


@pytest.mark.parametrize("point", faults.points(faults.MIGRATE_ACTIONS))
def test_a_kill_while_migrating_leaves_the_old_or_the_new_format(old: Path, point: str) -> None:
    process = FORKS.Process(target=forgetting.open_old, args=(old, point))
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"
    database = sqlite3.connect(old / "meta.db")
    found = database.execute("select format from workspace").fetchone()[0]
    database.close()
    assert (found == migrations.FORMAT) == (point == "after-commit-format")
    store = Store.open(old)
    check(store)
    store.close()


def test_a_step_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("half-way")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "STEPS", (*migrations.STEPS, fail))
        patch.setattr(migrations, "FORMAT", migrations.FORMAT + 1)
        patch.setattr("whence.store.database.FORMAT", migrations.FORMAT)
        with pytest.raises(RuntimeError, match="half-way"):
            Store.open(old)
    store = Store.open(old)
    check(store)
    store.close()


def test_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store.open(tmp_path / "w").close()
    database = sqlite3.connect(tmp_path / "w" / "meta.db")
    database.execute("update workspace set format = 99")
    database.commit()
    database.close()
    (tmp_path / "w" / "meta.seal").unlink()
    with pytest.raises(NotSupported, match=r"has format 99; this whence reads up to \d+\. Use a newer whence\."):
        Store.open(tmp_path / "w")
    database = sqlite3.connect(tmp_path / "w" / "meta.db")
    assert database.execute("select format, epoch from workspace").fetchall() == [(99, 1)]
    database.close()
