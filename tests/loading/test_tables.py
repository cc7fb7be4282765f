from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import pytest

import whence
from whence.model.errors import BadInput, WhenceError

SECRET = "s3cr3t-Zebra"


def test_a_table_of_the_catalog_is_loaded_by_its_name(ws: whence.Workspace) -> None:
    ws.spark.sql("create or replace temporary view shop as select 1 id, 'x' name union all select 2, null")
    dataset = ws.load(table="shop")
    assert (dataset.name, dataset.columns) == ("shop", ["id", "name"])
    assert sorted(row["id"] for row in dataset.to_arrow().to_pylist()) == [1, 2]
    report = dataset.load_report
    assert report is not None
    assert (report.source.path, report.source.version, report.records) == ("table shop", None, 2)
    assert ws.sql("select count(*) n from shop", name="n").to_arrow().to_pylist() == [{"n": 2}]


def test_key_and_types_are_for_tables_too(ws: whence.Workspace) -> None:
    ws.spark.sql("create or replace temporary view t as select * from values (1, '07'), (1, 'x'), (2, '3') as v(id, n)")
    dataset = ws.load(table="t", key="id", types={"n": "int"})
    assert sorted(str(row["n"]) for row in dataset.to_arrow().to_pylist()) == ["3", "7", "None"]
    report = dataset.load_report
    assert report is not None
    assert report.counts == {"misfit": 1, "repeated key": 1}
    assert (report.key, report.options) == ("id", {"types": {"n": "int"}})
    marks = dataset.caveats.marks().to_pydict()
    assert (sum(marks["id"]), sum(marks["n"])) == (1, 1)
    assert len(set(dataset.row_keys())) == 3
    with pytest.raises(BadInput, match="Options for text are not for tables"):
        ws.load(table="t", delimiter=";")


def test_a_table_that_is_not_there_is_named(ws: whence.Workspace) -> None:
    with pytest.raises(WhenceError, match="nowhere"):
        ws.load(table="nowhere")


def test_a_table_of_a_database_is_loaded_without_a_trace_of_its_credentials(
    ws: whence.Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DB_USER", "zoe")
    monkeypatch.setenv("DB_PASSWORD", SECRET)
    url = f"jdbc:derby:memory:{tmp_path.name};create=true"
    frame = ws.spark.createDataFrame([(1, "x"), (2, None)], "id int, name string")
    frame.write.format("jdbc").options(url=url, dbtable="parts").save()
    dataset = ws.load(url, table="APP.parts", user_from="ENV:DB_USER", password_from="ENV:DB_PASSWORD")
    assert sorted(row["ID"] for row in dataset.to_arrow().rename_columns(["ID", "NAME"]).to_pylist()) == [1, 2]
    assert dataset.load_report is not None
    assert dataset.load_report.source.path == f"jdbc:derby:memory:{tmp_path.name} table APP.parts"
    assert places_with(ws.path, SECRET) == []


def test_a_failing_database_shows_no_credentials(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_PASSWORD", SECRET)
    url = f"jdbc:derby:/nowhere/{SECRET}"
    with pytest.raises(BadInput, match="The table t cannot be loaded") as caught:
        ws.load(url, table="t", password_from="ENV:DB_PASSWORD")
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert places_with(ws.path, SECRET) == []


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"path": "jdbc:x:y;password=p", "table": "t"}, "must not hold a user or password"),
        ({"path": "jdbc:x://a:b@h/d", "table": "t"}, "must not hold a user or password"),
        ({"path": "jdbc:x:y"}, "A database needs table="),
        ({"path": "jdbc:x:y", "table": "t", "password_from": SECRET}, "password_from says where the password is"),
        ({"path": "jdbc:x:y", "table": "t", "user_from": "ENV:NO_SUCH_NAME"}, "has no variable NO_SUCH_NAME"),
        ({"path": "jdbc:x:y", "table": "t", "user_from": "KEYRING:db/zoe"}, "keyring"),
        ({}, "Neither a path nor a table is given"),
    ],
)
def test_what_is_missing_or_unsafe_is_said_in_one_sentence(
    ws: whence.Workspace, wanted: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence) as caught:
        ws.load(**wanted)
    assert SECRET not in str(caught.value)


def places_with(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
