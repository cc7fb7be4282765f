"""Reads a JSON file as the parts of a dataset: one row per record, one column per key, nothing dropped."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from whence.loading.delimited import Parts
from whence.loading.encoding import CARRIED, Text, decode, restore
from whence.loading.json_columns import to_json_text
from whence.loading.json_values import JsonRecord, json_records
from whence.loading.problems import Problem, of_file, quoted
from whence.loading.progress import Progress
from whence.loading.records import CHUNK, Chunk, Records, read_records, replayed
from whence.loading.report import SourceFacts
from whence.loading.scratch import IN_MEMORY, Scratch, blocks
from whence.loading.source import read_source
from whence.model.errors import BadInput


def read_json(
    path: Path,
    folder: Path,
    types: Mapping[str, str] | None = None,
    key: str | None = None,
    progress: Progress | None = None,
) -> Parts:
    """Read JSON lines, an array of objects, or consecutive objects, and write them as parts into a folder."""
    scratch = Scratch(folder.with_name("texts"))
    source = read_source(path, scratch)
    text = decode(source.data, str(path), scratch)
    records = Records(
        lambda: SourceFacts(str(path.resolve()), source.sha256, source.size),
        replayed(lambda: _chunks(text, str(path)), keep=len(text.data) <= IN_MEMORY),
        list(_bad_lines(text)) if text.has_bad_bytes else (),
        text.encoding,
    )
    return read_records(records, folder, types or {}, key, progress)


def _chunks(text: Text, name: str) -> Iterator[Chunk]:
    records = json_records(_pieces(text), name)
    has_keys = False
    while some := list(islice(records, CHUNK)):
        chunk = _chunk(some)
        has_keys |= bool(chunk.columns)
        yield chunk
    if not has_keys:
        raise BadInput(f"The file {name} has no JSON object in it.", "Each record must be an object with keys.")


def _chunk(records: Sequence[JsonRecord]) -> Chunk:
    keys = dict.fromkeys(key for record in records for key in record.values or ())
    columns: dict[str | int, list[object]] = {
        key: [(record.values or {}).get(key) for record in records] for key in keys
    }
    lines = np.array([record.line for record in records], np.int64)
    return Chunk(columns, lines, tuple(_problems(records)))


def _pieces(text: Text) -> Iterator[str]:
    """Yield the text. Bytes that are not UTF-8 become replacement characters."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for block in blocks(text.data):
        piece = decoder.decode(block)
        yield restore(piece)[0] if text.has_bad_bytes else piece


def _bad_lines(text: Text) -> Iterator[Problem]:
    """Yield a problem for each line with bytes that are not UTF-8."""
    held, number = b"", 0
    for block in (*blocks(text.data), b"\n"):
        *whole, held = (held + block).split(b"\n")
        for line in whole:
            number += 1
            content = line.decode()
            if CARRIED.search(content):
                what = f"Line {number} holds bytes that are not UTF-8, shown as �."
                yield of_file("bad bytes", what, number, restore(content)[1])


def _problems(records: Sequence[JsonRecord]) -> Iterator[Problem]:
    for row, record in enumerate(records):
        if record.values is None:
            message = f"Line {record.line} is not a JSON object; its text is kept in this note and the row is empty."
            yield Problem(
                row=row, column=None, line=record.line, text=record.text, kind="not an object", message=message
            )
        for key, value in record.repeated.items():
            message = f"The key {quoted(key)} comes twice in line {record.line}; the first value is in the cell."
            yield Problem(
                row=row, column=key, line=record.line, text=to_json_text(value), kind="repeated key", message=message
            )
