"""The kept copy of a delimited file loses the lines of rows that go, and keeps every other byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import whence
from tests.store.needles import places
from whence.model.schema import LINE_COLUMN
from whence.store.doctor import doctor

pytestmark = pytest.mark.spark

NEEDLE = "Ottilie-Quandt-7741"


def kept_copies(ws: whence.Workspace, name: str) -> list[bytes]:
    store = ws._context.store
    return [path.read_bytes() for _, path in store.forgetting.kept_copies(ws[name].record.id)]


def lines(ws: whence.Workspace, name: str) -> list[int]:
    record = ws[name].record
    found: list[int] = ws._context.store.read(record, 0, record.rows, [LINE_COLUMN]).column(0).to_pylist()
    return found


def record_text(draw: np.random.Generator, number: int, end: str) -> str:
    """One record with the line breaks, quotes and blank lines that files have."""
    note = ["plain", f'"two{end}lines"', '"a ""quoted"" word"', f'"{end}{end}"', "ümläut", '"x, y"'][
        draw.integers(0, 6)
    ]
    return f"{number},name {number},{note}{end}" + (end if draw.random() < 0.1 else "")


@pytest.mark.parametrize("seed", range(6))
def test_the_copy_is_the_file_without_the_lines_and_rows_name_its_lines(
    seed: int, ws: whence.Workspace, tmp_path: Path
) -> None:
    draw = np.random.default_rng(seed)
    end = ("\n", "\r\n")[seed % 2]
    start = ("\ufeff" if seed % 3 == 0 else "") + f"id,name,note{end}"
    records = {number: record_text(draw, number, end) for number in range(60)}
    text = start + "".join(records.values())
    path = tmp_path / "people.csv"
    path.write_bytes((text.removesuffix(end) if seed % 4 == 1 else text).encode())
    ws.load(path, name="people")
    assert ws["people"].count == 60
    for gone in ({0}, {59, 31, 32}, set(draw.choice(range(1, 31), 9, replace=False).tolist())):
        ws.forget("people", where=f"id in ({', '.join(map(str, gone))})")
        records = {number: each for number, each in records.items() if number not in gone}
        (copy,) = kept_copies(ws, "people")
        # A blank line after a record that goes stays.
        assert without_blank_lines(copy) == without_blank_lines((start + "".join(records.values())).encode())
        (tmp_path / "cut.csv").write_bytes(copy)
        again = ws.load(tmp_path / "cut.csv", name=f"again{len(records)}")
        assert again.to_arrow().to_pylist() == ws["people"].to_arrow().to_pylist()
        assert lines(ws, "people") == lines(ws, again.name)
        assert doctor(ws._context.store) == []


def without_blank_lines(data: bytes) -> list[bytes]:
    return [line for line in data.splitlines() if line.strip()]


def test_other_bytes_stay_as_they_were(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(f"id,name\n1,  Ada \n\n4711,{NEEDLE}\n\n3,'Cy'\n4,".encode())
    ws.load(path, name="people")
    certificate = ws.forget("people", where="id = 4711")
    assert kept_copies(ws, "people") == [b"id,name\n1,  Ada \n\n\n3,'Cy'\n4,"]
    assert certificate.removed[0] == "The lines of these rows in the kept source files of people@1."
    assert places(ws.path, NEEDLE) == set()


@pytest.mark.parametrize(
    "content",
    [
        f"id,name\r1,Ada\r4711,{NEEDLE}\r3,Cy\r".encode(),
        f"id,name\n1,Ada\n4711,{NEEDLE}\n3,Zoë\n".encode("utf-16"),
        f"id,name\n1,Ada\n4711,{NEEDLE}\n3,Zoë\n".encode("cp1252"),
    ],
)
def test_a_file_whose_lines_cannot_be_told_goes_whole(content: bytes, ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    ws.load(path, name="people")
    before = lines(ws, "people")
    certificate = ws.forget("people", where="id = 4711")
    assert kept_copies(ws, "people") == []
    assert certificate.removed[0].startswith("The kept source files of people@1.")
    assert lines(ws, "people") == [before[0], before[2]]
    assert places(ws.path, NEEDLE) == set()
