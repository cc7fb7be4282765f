"""Folders of Parquet files: copied, or read where they lie with a pinned list of files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import whence
from whence.loading import parquet_folder
from whence.model.errors import BadInput, DamagedFile
from whence.store.doctor import doctor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files, one of them empty."""
    made = tmp_path / "events"
    made.mkdir()
    for name, values in (("a", [1, 2, 3]), ("b", []), ("c", [4, 5])):
        table = pa.table({"k": pa.array([n % 2 for n in values], pa.int32()), "x": pa.array(values, pa.int64())})
        pq.write_table(table, made / f"{name}.parquet", row_group_size=2)
    (made / "_SUCCESS").write_text("")
    return made


def parts_of(ws: whence.Workspace, name: str) -> list[Path]:
    return sorted((ws._context.store.layout.dataset(ws[name].record.id) / "rows").rglob("*.parquet"))


def test_a_small_folder_is_copied_and_a_large_one_is_read_where_it_lies(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = ws.load(folder)
    assert not any(path.is_symlink() for path in parts_of(ws, "events"))
    monkeypatch.setattr(parquet_folder, "COPY_LIMIT", 10)
    large = ws.load(folder, name="large")
    assert [path.readlink().name for path in parts_of(ws, "large")] == ["a.parquet", "c.parquet"]
    copied = ws.load(folder, name="copied", in_place=False)
    for dataset in (small, large, copied):
        assert dataset.to_arrow().to_pydict() == {"k": [1, 0, 1, 0, 1], "x": [1, 2, 3, 4, 5]}
        assert sorted(dataset.df.collect()) == [(0, 2), (0, 4), (1, 1), (1, 3), (1, 5)]
        report = dataset.load_report
        assert report is not None
        assert [(Path(file.path).name, file.first_row, file.rows) for file in report.files] == [
            ("a.parquet", 0, 3),
            ("b.parquet", 3, 0),
            ("c.parquet", 3, 2),
        ]
    assert doctor(ws._context.store) == []
    usage = {each.label: each.data for each in ws._context.store.usage().datasets}
    assert usage["large@1"] < usage["copied@1"]


def test_rows_read_in_place_have_lineage_views_caveats_and_can_be_forgotten(ws: whence.Workspace, folder: Path) -> None:
    events = ws.load(folder, in_place=True)
    out = ws.sql("select k, sum(x) s from events group by k", name="out")
    keys = out.to_arrow().column("k").to_pylist()
    assert [out.lineage.backward([row], to="events").ids.tolist() for row in map(keys.index, (0, 1))] == [
        [1, 3],
        [0, 2, 4],
    ]
    assert events.view(sort=[("x", "desc")]).rows(0, 2).column("x").to_pylist() == [5, 4]
    doubted = events.caveat([1], "x", "who knows")
    assert doubted.caveats.marks().column("x").to_pylist() == [False, True, False, False, False]
    ws.forget("events", also_dependants=True)
    assert len(list(folder.glob("*.parquet"))) == 3


def test_a_file_that_was_changed_is_an_error_wherever_it_is_read(ws: whence.Workspace, folder: Path) -> None:
    events = ws.load(folder, in_place=True)
    frame, before = events.df, (folder / "c.parquet").stat()
    pq.write_table(pa.table({"k": pa.array([9, 9], pa.int32()), "x": [40, 50]}), folder / "c.parquet")
    readers = (
        lambda: events.df,
        lambda: ws.sql("select * from events"),
        lambda: ws.dataset(frame.where("x > 1"), "kept"),
        lambda: events.rows(3, 5),
    )
    for read in readers:
        with pytest.raises(DamagedFile, match=r"c\.parquet was changed since"):
            read()
    assert any("c.parquet was changed since" in sentence for sentence in doctor(ws._context.store))
    (folder / "c.parquet").unlink()
    with pytest.raises(DamagedFile, match=r"c\.parquet cannot be read"):
        ws.sql("select * from events")
    pq.write_table(pa.table({"k": pa.array([0, 1], pa.int32()), "x": pa.array([4, 5])}), folder / "c.parquet")
    os.utime(folder / "c.parquet", ns=(before.st_atime_ns, before.st_mtime_ns))
    again = ws.reload("events")
    assert (again.version, again.to_arrow().column("x").to_pylist()) == (2, [1, 2, 3, 4, 5])
    assert again.load_report is not None
    assert again.load_report.options == {"in_place": True}


def test_what_cannot_be_read_in_place_is_copied_and_who_insists_is_told_why(
    ws: whence.Workspace, folder: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "odd"
    odd.mkdir()
    pq.write_table(pa.table({"t": pa.array([1], pa.time64("us"))}), odd / "a.parquet")
    (tmp_path / "t.csv").write_text("a\n1\n")
    cases: tuple[tuple[Path, dict[str, Any], str], ...] = (
        (odd, {}, "the type time64"),
        (folder, {"key": "x"}, "a key or types"),
        (tmp_path / "t.csv", {}, "no Parquet files"),
    )
    for path, more, reason in cases:
        with pytest.raises(BadInput, match=f"cannot be read where they lie: .*{reason}"):
            ws.load(path, name="t", in_place=True, **more)
    assert ws.load(odd).to_arrow().to_pydict() == {"t": ["00:00:00.000001"]}


def test_files_with_differing_columns_are_united_by_name(ws: whence.Workspace, folder: Path) -> None:
    pq.write_table(pa.table({"x": [6], "note": ["six"]}), folder / "d.parquet")
    dataset = ws.load(folder)
    assert dataset.to_arrow().slice(4).to_pylist() == [
        {"k": 1, "x": 5, "note": None},
        {"k": None, "x": 6, "note": "six"},
    ]
    report = dataset.load_report
    assert report is not None
    assert "d.parquet has no column k, so its rows are empty there." in [each.message for each in report.problems]
    pq.write_table(pa.table({"x": ["seven"]}), folder / "e.parquet")
    with pytest.raises(BadInput, match=r"Column x is int64 in a\.parquet and string in e\.parquet"):
        ws.load(folder)
