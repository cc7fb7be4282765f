"""Places of Hadoop's file systems: a `viewfs` mount over a folder stands for buckets and clusters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import whence
from whence.engine import hadoop
from whence.engine.hadoop import fetch_files, list_files
from whence.loading import anywhere
from whence.loading import load as load_module
from whence.model.errors import BadInput

FAR = "viewfs://bucket"


@pytest.fixture
def folder(tmp_path: Path, ws: whence.Workspace) -> Iterator[Path]:
    """A folder, which Hadoop reaches as viewfs://bucket/far and nobody else does."""
    made = tmp_path / "far"
    (made / "deep").mkdir(parents=True)
    (made / "a.csv").write_text("a\n1\n")
    (made / "deep" / "b.csv").write_text("a\n2\n")
    (made / "_SUCCESS").write_text("")
    settings = ws.spark._jsc.hadoopConfiguration()
    name = "fs.viewfs.mounttable.bucket.link./far"
    settings.set(name, made.as_uri())
    settings.set("fs.viewfs.impl.disable.cache", "true")  # each test has a folder of its own
    yield made
    settings.unset(name)


def test_the_files_of_a_place_are_brought_here_in_order(ws: whence.Workspace, folder: Path, tmp_path: Path) -> None:
    found = list_files(ws.spark, f"{FAR}/far")
    assert [(file.name, file.size) for file in found] == [("a.csv", 4), ("b.csv", 4)]
    for number, in_tasks in enumerate((False, True)):
        brought = fetch_files(ws.spark, found, tmp_path / str(number), in_tasks=in_tasks)
        assert [file.name for file in brought] == ["00000-a.csv", "00001-b.csv"]
        assert [file.read_text() for file in brought] == ["a\n1\n", "a\n2\n"]
        assert sorted(file.name for file in (tmp_path / str(number)).iterdir()) == ["00000-a.csv", "00001-b.csv"]
    assert [file.name for file in list_files(ws.spark, f"{FAR}/far/a*.csv")] == ["a.csv"]
    with pytest.raises(BadInput, match="There is no file"):
        list_files(ws.spark, f"{FAR}/far/none.csv")


def test_a_scheme_without_a_file_system_is_refused_in_one_sentence(ws: whence.Workspace) -> None:
    with pytest.raises(BadInput) as unknown:
        ws.load("nosuch://host/x.csv")
    assert unknown.value.message == "Spark has no file system for nosuch://, so nosuch://host/x.csv cannot be read."
    with pytest.raises(BadInput) as missing:
        ws.load("s3a://bucket/parts/*.csv")
    assert missing.value.message == "Spark has no file system for s3a://, so s3a://bucket/parts/*.csv cannot be read."
    java: Any = ws.spark._jvm
    version = java.org.apache.hadoop.util.VersionInfo.getVersion()
    assert f"org.apache.hadoop:hadoop-aws:{version}" in missing.value.hint
    for refusal in (unknown.value, missing.value):
        assert "Exception" not in f"{refusal.message} {refusal.hint}"


def test_a_file_that_grows_while_it_is_fetched_is_noticed(ws: whence.Workspace, folder: Path, tmp_path: Path) -> None:
    found = list_files(ws.spark, f"{FAR}/far")
    (folder / "a.csv").write_text("a\n1\n2\n")
    for in_tasks in (False, True):
        with pytest.raises(BadInput, match="changed while it was read"):
            fetch_files(ws.spark, found, tmp_path / str(in_tasks), in_tasks=in_tasks)


def test_names_that_look_like_patterns_are_not_taken_for_them(
    ws: whence.Workspace, folder: Path, tmp_path: Path
) -> None:
    (folder / "c[1],{2}.csv").write_text("a\n3\n")
    brought = fetch_files(ws.spark, list_files(ws.spark, f"{FAR}/far"), tmp_path / "here", in_tasks=True)
    assert [file.read_text() for file in brought] == ["a\n1\n", "a\n3\n", "a\n2\n"]


@pytest.mark.parametrize("is_large", [False, True])
def test_a_far_place_is_loaded_as_one_dataset_and_named_in_the_report(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch, is_large: bool
) -> None:
    in_tasks: list[int] = []
    real = hadoop._fetch_in_tasks

    def counted(session: SparkSession, targets: dict[str, str]) -> None:
        in_tasks.append(len(targets))
        real(session, targets)

    monkeypatch.setattr(hadoop, "_fetch_in_tasks", counted)
    if is_large:
        monkeypatch.setattr(anywhere, "SPREAD_BYTES", 0)
        monkeypatch.setattr(load_module, "SPREAD_BYTES", 0)
    dataset = ws.load(f"{FAR}/far")
    assert in_tasks == ([2] if is_large else [])
    assert (dataset.name, dataset.to_arrow().to_pydict()) == ("far", {"a": [1, 2]})
    report = dataset.load_report
    assert report is not None
    assert report.source.path == f"{FAR}/far"
    assert [(file.path, file.first_row, file.rows) for file in report.files] == [
        ("00000-a.csv", 0, 1),
        ("00001-b.csv", 1, 1),
    ]


def test_far_parquet_is_read_by_spark_with_the_columns_that_are_folders(
    ws: whence.Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for year in (2023, 2024):
        (folder / "sales" / f"year={year}").mkdir(parents=True)
        pq.write_table(pa.table({"x": [year, year + 1]}), folder / "sales" / f"year={year}" / "part.parquet")
    monkeypatch.setattr(anywhere, "fetch_files", None)
    far, near = ws.load(f"{FAR}/far/sales", name="far_sales"), ws.load(folder / "sales")
    expected = [(2023, 2023), (2024, 2023), (2024, 2024), (2025, 2024)]
    for dataset in (far, near):
        assert sorted(tuple(row.values()) for row in dataset.to_arrow().to_pylist()) == expected
        assert dataset.load_report is not None
        assert dataset.load_report.source.bytes > 0
    assert ws.reload("far_sales").count == 4
    one = ws.load(f"{FAR}/far/sales/year=2023/part.parquet", name="one")
    assert one.to_arrow().to_pydict() == {"x": [2023, 2024]}


def test_a_delta_table_of_another_file_system_is_refused(ws: whence.Workspace, folder: Path) -> None:
    """Its folder may hold files that belong to older versions, so its files are not read as they are."""
    pq.write_table(pa.table({"n": [1]}), folder / "deep" / "t.parquet")
    (folder / "deep" / "_delta_log").mkdir()
    (folder / "deep" / "_delta_log" / "00000000000000000000.json").write_text("{}")
    with pytest.raises(BadInput, match="/far/deep is a Delta table, which is loaded from a disk only"):
        ws.load(f"{FAR}/far/deep")


def test_files_with_types_of_another_file_system_are_one_dataset(ws: whence.Workspace, folder: Path) -> None:
    (folder / "typed").mkdir()
    for name, number in (("a", 1), ("b", 2)):
        feather.write_feather(pa.table({"n": [number]}), str(folder / "typed" / f"{name}.arrow"))
    loaded = ws.load(f"{FAR}/far/typed")
    assert loaded.to_arrow().to_pydict() == {"n": [1, 2]}
    assert loaded.load_report is not None
    assert loaded.load_report.source.path == f"{FAR}/far/typed"
