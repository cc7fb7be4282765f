from __future__ import annotations

import multiprocessing
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect

from tests.store import forgetting, sample_step
from tests.store.sample_step import check
from whence.model.errors import NotSupported
from whence.store import faults, migrations
from whence.store.doctor import doctor
from whence.store.durable import hash_file
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.store.forgetting"])


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace as it was before the newest step."""
    sample_step.fill(tmp_path / "old")
    sample_step.install(monkeypatch)
    return tmp_path / "old"


def test_a_workspace_of_an_earlier_format_opens(old: Path) -> None:
    for _ in range(2):
        store = Store.open(old)
        check(store)
        store.close()


def test_a_forgotten_source_leaves_an_old_workspace_whole(old: Path) -> None:
    store = Store.open(old)
    store.forgetting.forget(store.versions("towns"), keep_dependants=True)
    assert store.read(store.current("twice"), 0, 1).to_pylist() == [{"double_people": 252}]
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
    assert forms[0].pop(sample_step.TABLE)  # a real step also adds it to `store.tables`, of which new ones are made
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
    assert (found == migrations.newest_format()) == (point == "after-commit-format")
    store = Store.open(old)
    check(store)
    store.close()


def test_a_step_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("half-way")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "STEPS", (*migrations.STEPS, fail))
        with pytest.raises(RuntimeError, match="half-way"):
            Store.open(old)
    store = Store.open(old)
    check(store)
    store.close()


def test_a_folder_of_a_pre_release_is_refused_and_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "w"
    sample_step.fill(root)
    set_format(root, migrations.OLDEST - 1)
    before = (root / "meta.db").read_bytes()
    sentence = f"{root} was made by a pre-release of whence; export it with that version."
    with pytest.raises(NotSupported, match=f"^{re.escape(sentence)}$"):
        Store.open(root)
    assert (root / "meta.db").read_bytes() == before
    assert not (root / "backups").exists()


def set_format(root: Path, number: int) -> None:
    """As if another version of whence had written the workspace."""
    database = sqlite3.connect(root / "meta.db")
    database.execute("update workspace set format = ?", (number,))
    database.commit()
    database.execute("pragma wal_checkpoint(truncate)")
    database.close()
    (root / "meta.seal").unlink()


def test_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store.open(tmp_path / "w").close()
    set_format(tmp_path / "w", 99)
    with pytest.raises(NotSupported, match=r"has format 99; this whence reads up to \d+\. Use a newer whence\."):
        Store.open(tmp_path / "w")
    database = sqlite3.connect(tmp_path / "w" / "meta.db")
    assert database.execute("select format, epoch from workspace").fetchall() == [(99, 1)]
    database.close()


def test_a_workspace_of_the_first_release_gets_the_form_of_a_new_one(tmp_path: Path) -> None:
    forms = []
    for root in (tmp_path / "old", tmp_path / "new"):
        Store.open(root).close()
        if root.name == "old":
            with closing(sqlite3.connect(root / "meta.db")) as database:
                database.execute("drop table run_events")
                database.execute("update workspace set format = 7")
                database.commit()
            (root / "meta.seal").unlink(missing_ok=True)
            Store.open(root).close()
        with closing(sqlite3.connect(root / "meta.db")) as database:
            columns = database.execute("select name, type, \"notnull\", pk from pragma_table_info('run_events')")
            indexes = database.execute("select name from pragma_index_list('run_events')")
            made = database.execute("select sql like '%AUTOINCREMENT%' from sqlite_schema where name = 'run_events'")
            formats = database.execute("select format from workspace")
            forms.append([each.fetchall() for each in (columns, indexes, made, formats)])
    assert forms[0] == forms[1]
