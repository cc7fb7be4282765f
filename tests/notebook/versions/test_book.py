"""Versions: an edit becomes one, a branch leads over them, two editors merge or meet, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from whence.model.errors import EditConflict, UserError
from whence.model.notebook import CellId, CellVersion
from whence.notebook.versions.book import WRITTEN_OUT, Book, Command
from whence.notebook.versions.edits import Delete, Insert, Move, Replace, ReplaceAll
from whence.store import notebooks
from whence.store.store import Store


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    store = Store.open(tmp_path / "w.whence")
    yield make_book(store)
    store.close()


def make_book(store: Store, name: str = "tour") -> Book:
    with store.database.write("commit-notebook") as connection:
        return Book(store, notebooks.make_notebook(connection, name).id)


def markdown(text: str) -> CellVersion:
    return CellVersion("markdown", {"source": text})


def append(book: Book, text: str, after: str | None = None, command: Command | None = None) -> CellId:
    cell, version = book.new_cell(), markdown(text)
    book.commit("main", Insert(cell, version.hash, CellId(after) if after else None), version, command)
    return cell


def texts(book: Book, version: int | None = None) -> list[str]:
    cells = book.cells(book.head("main") if version is None else version)
    known = book.cell_versions(entry.hash for entry in cells)
    return [str(known[entry.hash].values["source"]) for entry in cells]


def change(book: Book, cell: str, text: str, command: Command) -> int:
    version = markdown(text)
    return book.commit("main", Replace(CellId(cell), version.hash), version, command).version


def test_versions_grow_by_one_and_keep_what_was(book: Book) -> None:
    first = append(book, "one")
    second = append(book, "two", first)
    change(book, first, "uno", Command("Ada"))
    book.commit("main", Move(second, None))
    book.commit("main", Delete(first))
    book.commit("main", ReplaceAll(book.cells(2)))
    assert [(r.version, r.parent, r.action, r.cell, r.author) for r in book.history()] == [
        (1, None, "append", "c1", ""),
        (2, 1, "append", "c2", ""),
        (3, 2, "update", "c1", "Ada"),
        (4, 3, "move", "c2", ""),
        (5, 4, "delete", "c1", ""),
        (6, 5, "restore", None, ""),
    ]
    found = [texts(book, version) for version in range(7)]
    assert found == [[], ["one"], ["one", "two"], ["uno", "two"], ["two", "uno"], ["two"], ["one", "two"]]


def test_a_command_that_comes_twice_takes_effect_once(book: Book) -> None:
    cell = append(book, "one")
    version = [change(book, cell, "two", Command(base_version=1, command_id="k")) for _ in range(2)]
    assert version == [2, 2]
    assert len(book.history()) == 2


def test_edits_of_different_cells_merge(book: Book) -> None:
    first = append(book, "one")
    second = append(book, "two", first)
    change(book, first, "uno", Command(base_version=2))
    change(book, second, "due", Command(base_version=2))
    append(book, "between", first, Command(base_version=2))
    assert texts(book) == ["uno", "between", "due"]


def test_of_two_edits_of_one_cell_the_later_is_told_and_kept(book: Book) -> None:
    cell = append(book, "one")
    change(book, cell, "theirs", Command(base_version=1))
    for _ in range(2):
        with pytest.raises(EditConflict, match="Cell c1 was changed by another user meanwhile") as caught:
            change(book, cell, "mine", Command("Bob", 1, "again"))
    assert (caught.value.mine, caught.value.theirs, caught.value.side_version) == ("mine", "theirs", 3)
    assert (texts(book), texts(book, 3)) == (["theirs"], ["mine"])
    assert change(book, cell, "theirs", Command(base_version=1)) == 4, "both typed the same"
    book.commit("main", Delete(cell))
    with pytest.raises(EditConflict, match="was deleted") as caught:
        change(book, cell, "late", Command(base_version=4))
    assert (caught.value.theirs, texts(book, caught.value.side_version)) == (None, ["late"])


def test_a_new_cell_goes_where_its_neighbour_was(book: Book) -> None:
    first = append(book, "one")
    second = append(book, "two", first)
    append(book, "three", second)
    book.commit("main", Delete(second))
    append(book, "new", second, Command(base_version=3))
    assert texts(book) == ["one", "new", "three"]


def test_branches_begin_anywhere_and_go_their_own_way(book: Book) -> None:
    first = append(book, "one")
    append(book, "two", first)
    book.branch("try", 1)
    other = markdown("other")
    book.commit("try", Replace(first, other.hash), other)
    assert book.heads() == {"main": 2, "try": 3}
    assert (texts(book), texts(book, 3)) == (["one", "two"], ["other"])
    with pytest.raises(UserError, match="There is a branch try already"):
        book.branch("try", 1)
    with pytest.raises(UserError, match=r"The notebook has no version 9\. Its versions are 1 to 3\."):
        book.branch("more", 9)


def test_every_version_is_there_after_opening_again(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w.whence")
    book = make_book(store)
    expected: list[list[str]] = [[]]
    last = None
    for number in range(3 * WRITTEN_OUT):
        if number % 5 == 4 and last is not None:
            change(book, last, f"changed {number}", Command())
        else:
            last = append(book, f"text {number}", last if number % 2 else None)
        expected.append(texts(book))
    store.close()
    store = Store.open(tmp_path / "w.whence")
    with store.database.read() as connection:
        record = notebooks.find_notebook(connection, "TOUR")
    assert record is not None
    for version, found in reversed(list(enumerate(expected))):
        assert texts(Book(store, record.id), version) == found
    store.close()


class History(RuleBasedStateMachine):
    """Two editors with views of their own, against a list of lists."""

    root: Path
    counter = 0

    @initialize()
    def start(self) -> None:
        History.counter += 1
        self.store = Store.open(self.root / f"{History.counter}.whence")
        self.book = make_book(self.store)
        self.branch = "main"
        self.heads = {"main": 0}
        self.states: dict[int, list[tuple[str, str]]] = {0: []}
        self.seen = {"a": 0, "b": 0}
        self.typed: set[str] = set()
        self.number = 0

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()

    @rule(who=st.sampled_from("ab"))
    def look(self, who: str) -> None:
        self.seen[who] = self.heads[self.branch]

    @rule(who=st.sampled_from("ab"), data=st.data())
    def insert(self, who: str, data: st.DataObject) -> None:
        view = self.states[self.seen[who]]
        after = data.draw(st.sampled_from([None, *(cell for cell, _ in view)]))
        cell, text = self.book.new_cell(), self._type()
        self._commit(who, Insert(cell, markdown(text).hash, CellId(after) if after else None), text)
        now = list(self.states[self.heads[self.branch]])
        names = [each for each, _ in now]
        before = [each for each, _ in view[: [each for each, _ in view].index(after) + 1]] if after else []
        place = next((names.index(each) + 1 for each in reversed(before) if each in names), 0)
        self._expect([*now[:place], (cell, text), *now[place:]])

    @rule(who=st.sampled_from("ab"), data=st.data())
    def replace(self, who: str, data: st.DataObject) -> None:
        view = dict(self.states[self.seen[who]])
        if not view:
            return
        cell, text = data.draw(st.sampled_from(sorted(view))), self._type()
        now = dict(self.states[self.heads[self.branch]])
        if now.get(cell) != view[cell]:
            with pytest.raises(EditConflict) as caught:
                self._commit(who, Replace(CellId(cell), markdown(text).hash), text)
            assert (caught.value.mine, caught.value.theirs) == (text, now.get(cell))
            self.number += 1
            assert text in texts(self.book, caught.value.side_version)
            return
        self._commit(who, Replace(CellId(cell), markdown(text).hash), text)
        self._expect([(each, text if each == cell else was) for each, was in now.items()])

    @rule(who=st.sampled_from("ab"), data=st.data())
    def delete(self, who: str, data: st.DataObject) -> None:
        view = dict(self.states[self.seen[who]])
        if not view:
            return
        cell = data.draw(st.sampled_from(sorted(view)))
        now = dict(self.states[self.heads[self.branch]])
        if now.get(cell) != view[cell]:
            with pytest.raises(EditConflict):
                self._commit(who, Delete(CellId(cell)), None)
            self.number += 1
            return
        self._commit(who, Delete(CellId(cell)), None)
        self._expect([pair for pair in now.items() if pair[0] != cell])

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        version = data.draw(st.sampled_from(sorted(self.states)))
        self.book.commit(self.branch, ReplaceAll(self.book.cells(version)))
        self._expect(self.states[version])

    @rule(data=st.data())
    def branch_off(self, data: st.DataObject) -> None:
        version, name = data.draw(st.sampled_from(sorted(self.states))), f"b{len(self.heads)}"
        self.book.branch(name, version)
        self.heads[name] = version

    @rule(data=st.data())
    def checkout(self, data: st.DataObject) -> None:
        self.branch = data.draw(st.sampled_from(sorted(self.heads)))
        self.seen = dict.fromkeys("ab", self.heads[self.branch])

    @rule()
    def reopen(self) -> None:
        notebook = self.book._notebook
        self.store.close()
        self.store = Store.open(self.root / f"{History.counter}.whence")
        self.book = Book(self.store, notebook)

    @invariant()
    def every_version_and_every_text_is_there(self) -> None:
        if not hasattr(self, "book"):
            return
        assert self.book.heads() == self.heads
        assert len(self.book.history()) == self.number
        for version, cells in self.states.items():
            found = self.book.cells(version)
            known = self.book.cell_versions(entry.hash for entry in found)
            assert [(entry.cell, known[entry.hash].values["source"]) for entry in found] == cells
        kept = {text for version in range(self.number + 1) for text in texts(self.book, version)}
        assert self.typed <= kept

    def _type(self) -> str:
        text = f"text {len(self.typed)}"
        self.typed.add(text)
        return text

    def _commit(self, who: str, edit: Insert | Replace | Delete, text: str | None) -> None:
        command = Command(who, self.seen[who], f"{who}{self.number}")
        made = self.book.commit(self.branch, edit, None if text is None else markdown(text), command)
        assert self.book.commit(self.branch, edit, None if text is None else markdown(text), command) == made

    def _expect(self, cells: list[tuple[str, str]]) -> None:
        self.number += 1
        self.heads[self.branch] = self.number
        self.states[self.number] = cells


def run_history(root: Path, examples: int, steps: int) -> None:
    checked = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    machine = type("Rooted", (History,), {"root": root})
    run_state_machine_as_test(machine, settings=checked)


def test_the_version_store_is_a_tree_of_lists(tmp_path: Path) -> None:
    run_history(tmp_path, 40, 25)


@pytest.mark.long
def test_the_version_store_is_a_tree_of_lists_in_a_thousand_histories(tmp_path: Path) -> None:
    run_history(tmp_path, 1000, 50)
