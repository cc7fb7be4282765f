"""A deleted notebook is gone as a whole, what others use stays, and garbage collection takes exactly the rest."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from sqlalchemy import func, select

from tests.notebook.schedule.fakes import Desk, calc_cell
from tests.store.making import make
from whence.model.errors import UnknownDataset, UnknownNotebook
from whence.model.share import ShareRecord
from whence.store import faults, notebooks, tables
from whence.store.database import now
from whence.store.doctor import doctor
from whence.store.shares import add_share, share_of
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.notebook.schedule.fakes"])


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    """Two notebooks of one workspace: the first makes `a`, `b` and `same`, the second says `same` as well."""
    first = Desk(tmp_path / "w.whence", "first")
    first.add("a", plus=1, stored=True)
    first.add("b", ["a"], plus=1, stored=True)
    first.add("same", plus=5, stored=True)
    first.wait()
    with first.store.database.write("commit-notebook") as connection:
        add_share(connection, ShareRecord("link", first.notebook, 3, now(), None, {}), "digest")
    second = Desk(tmp_path / "w.whence", "second", first.store)
    second.add("same", plus=5, stored=True)
    second.wait()
    yield first, second
    second.runner.close()
    first.close()


def labels(store: Store) -> set[str]:
    with store.database.read() as connection:
        columns = tables.datasets.c
        return {f"{name}@{version}" for name, version in connection.execute(select(columns.name, columns.version))}


def drop(desk: Desk) -> None:
    desk.runner.close()
    desk.store.drop_notebook(desk.notebook)


def test_what_only_the_notebook_knew_goes_and_what_others_use_stays(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    store = first.store
    child = make(store, "child", pa.table({"n": [1]}), parents=[store.current("a").id])
    drop(first)
    with store.database.read() as connection:
        assert [each.name for each in notebooks.all_notebooks(connection)] == ["second"]
        assert share_of(connection, "digest") is None
        kept = connection.scalars(select(tables.cell_versions.c.hash)).all()
        assert kept == [calc_cell("same", (), 5, stored=True).hash]
        assert connection.scalar(select(func.count()).select_from(tables.cell_runs)) == 1
    for name in ("a", "b"):
        with pytest.raises(UnknownDataset, match=f"There is no dataset named {name}"):
            store.current(name)
    assert store.version("a", 1).rows == 1, "it is still there by its number, as something was made from it"
    assert [record.name for record in store.datasets()] == ["same", "child"]
    second.knowledge.learn(second.cells)
    assert second.statuses() == {"c1": "ready"}, "its result was the deleted notebook's, and nothing runs for it"
    assert not second.calc.ran
    assert {(item.path.name, item.why) for item in store.collect_garbage()} == {
        (_id(store, "b"), "made by a notebook that was deleted")
    }
    store.collect_garbage(dry_run=False)
    assert labels(store) == {"a@1", "same@1", "child@1"}
    assert doctor(store) == []
    assert store.by_id(child.id).parents == (store.version("a", 1).id,)


def test_a_free_name_can_be_made_by_anybody(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    drop(first)
    second.add("a", plus=3, stored=True)
    second.wait()
    assert second.statuses()["c2"] == "ready"
    assert first.store.current("a").version == 2
    first.store.collect_garbage(dry_run=False)
    assert labels(first.store) == {"a@2", "same@1"}


def test_a_sheet_somebody_has_open_keeps_its_dataset(desks: tuple[Desk, Desk]) -> None:
    first, _ = desks
    first.store.pending_sheets.make("B@1")
    drop(first)
    first.store.collect_garbage(dry_run=False)
    assert labels(first.store) == {"b@1", "same@1"}


def test_a_deleted_notebook_says_so(desks: tuple[Desk, Desk]) -> None:
    first, _ = desks
    drop(first)
    with pytest.raises(UnknownNotebook, match="This notebook was deleted"):
        first.book.new_cell()
    with pytest.raises(UnknownNotebook, match="This notebook was deleted"):
        first.book.head("main")


def die_while_dropping(root: Path, point: str) -> None:
    desk = Desk(root, "first")
    os.environ[faults.VARIABLE] = point
    drop(desk)
    desk.store.collect_garbage(dry_run=False)
    os._exit(0)


@pytest.mark.parametrize("point", faults.points((*faults.DROP_ACTIONS, *faults.GARBAGE_ACTIONS)))
def test_a_kill_leaves_the_notebook_or_nothing_of_it(desks: tuple[Desk, Desk], point: str) -> None:
    first, second = desks
    root = first.store.root
    second.runner.close()
    first.close()
    process = FORKS.Process(target=die_while_dropping, args=(root, point))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"
    store = Store.open(root)
    assert doctor(store) == []
    with store.database.read() as connection:
        names = [each.name for each in notebooks.all_notebooks(connection)]
    assert names == (["first", "second"] if point == "before-commit-drop" else ["second"])
    store.collect_garbage(dry_run=False)
    assert labels(store) == ({"a@1", "b@1", "same@1"} if "first" in names else {"same@1"})
    assert doctor(store) == []
    store.close()


def _id(store: Store, name: str) -> str:
    with store.database.read() as connection:
        return str(connection.scalar(select(tables.datasets.c.id).where(tables.datasets.c.name == name)))
