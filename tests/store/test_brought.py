"""What people bring in, uploads and pending edits: counted, checked, forgotten with the data, never half written."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

from tests.store.making import make
from tests.store.needles import places
from whence.model.errors import BadInput, UnknownSheet, UserError
from whence.store.doctor import doctor
from whence.store.store import Store

NEEDLE = "Ottilie-Quandt-7741"


def bring(store: Store, name: str, content: bytes) -> Path:
    incoming = store.receive(name)
    for start in range(0, len(content), 7):
        incoming.write(content[start : start + 7])
    return store.root / incoming.finish()


def test_a_file_is_kept_whole_under_its_own_name(store: Store) -> None:
    content = b"name\n" + NEEDLE.encode()
    path = bring(store, "../../etc/people.csv", content)
    assert path.name == "people.csv"
    assert path.is_relative_to(store.layout.uploads)
    assert path.read_bytes() == content
    assert bring(store, "people.csv", content) == path
    assert doctor(store) == []


@pytest.mark.parametrize("name", ["", "..", "/", "\u0000", "x" * 300])
def test_a_file_without_a_name_is_refused_and_nothing_stays(store: Store, name: str) -> None:
    before = places(store.root, "")
    with pytest.raises(BadInput, match="no name that can be kept"):
        store.receive(name)
    assert places(store.root, "") == before


def test_a_file_that_stops_half_way_leaves_nothing(store: Store) -> None:
    incoming = store.receive("people.csv")
    incoming.write(NEEDLE.encode())
    incoming.drop()
    assert not places(store.root, NEEDLE)


def test_a_flipped_bit_of_an_upload_is_found(store: Store) -> None:
    path = bring(store, "people.csv", b"name\nx\n")
    path.write_bytes(b"name\ny\n")
    assert doctor(store) == [f"{path.relative_to(store.root)} is not what was uploaded."]


def test_every_byte_of_them_is_counted(store: Store) -> None:
    bring(store, "people.csv", b"x" * 5_000)
    store.pending_sheets.make("people@1")
    used = store.usage()
    assert used.files > 5_000
    on_disk = sum(path.stat().st_size for path in store.root.rglob("*") if path.is_file() and path.name != "lock")
    assert used.total == on_disk


def test_they_go_with_the_data_that_is_forgotten(store: Store) -> None:
    path = bring(store, "people.csv", f"name\n{NEEDLE}\n".encode())
    table = pa.table({"name": ["x"]})
    secret = make(store, "people", table, sources=[store.add_file(path)])
    make(store, "other", table, sources=[store.add_file(bring(store, "other.csv", b"name\nx\n"))])
    sheet = store.pending_sheets.make("people@1")
    store.pending_sheets.add(sheet, {"operation": {"value": NEEDLE}})
    kept = store.pending_sheets.make("other@1")
    assert len(places(store.root, NEEDLE)) >= 3
    store.forgetting.forget([secret])
    store.close()
    assert not places(store.root, NEEDLE)
    assert [each.name for each in store.layout.uploads.rglob("*.csv")] == ["other.csv"]
    assert store.pending_sheets.ids() == [kept]


def test_lines_of_a_sheet_come_back_in_order_and_half_a_line_goes(store: Store) -> None:
    sheet = store.pending_sheets.make("people@1")
    for number in range(3):
        store.pending_sheets.add(sheet, {"n": number})
    path = store.layout.sheets / f"{sheet}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"n": 3')
    assert store.pending_sheets.read(sheet) == ("people@1", [{"n": 0}, {"n": 1}, {"n": 2}])
    store.pending_sheets.add(sheet, {"n": 4})
    assert store.pending_sheets.read(sheet)[1][-1] == {"n": 4}
    store.pending_sheets.remove(sheet)
    with pytest.raises(UnknownSheet):
        store.pending_sheets.read(sheet)


def test_a_line_the_disk_refuses_leaves_nothing_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = store.pending_sheets.make("people@1")
    store.pending_sheets.add(sheet, {"n": 0})

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(UserError, match="cannot be written: No space left"):
            store.pending_sheets.add(sheet, {"n": 1})
    store.pending_sheets.add(sheet, {"n": 2})
    assert store.pending_sheets.read(sheet)[1] == [{"n": 0}, {"n": 2}]
