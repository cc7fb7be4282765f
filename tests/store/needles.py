"""Looks for a text in every file of a workspace, in every form in which it could hide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.errors import DamagedFile
from whence.store.block_file import BlockFile


def places(root: Path, needle: str) -> set[str]:
    """The files that hold the needle: in their name, as UTF-8 or UTF-16 in any letter case, or once decompressed."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if _holds(path, needle)}


def places_of_any(root: Path, needles: Sequence[str]) -> set[str]:
    """The files that hold one of the needles."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if _holds(path, *needles)}


def _holds(path: Path, *needles: str) -> bool:
    lower = [needle.lower() for needle in needles]
    if any(needle in path.name.lower() for needle in lower):
        return True
    return path.is_file() and any(needle in text.lower() for text in _texts(path) for needle in lower)


def _texts(path: Path) -> Iterator[str]:
    data = path.read_bytes()
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        yield data.decode(encoding, errors="replace")
        yield data[1:].decode(encoding, errors="replace")
    if path.suffix == ".parquet":
        yield _parquet(path)
    if "tmp/rows" in str(path):
        yield _blocks(path)


def _parquet(path: Path) -> str:
    table = pq.ParquetFile(path).read()
    return str(table.to_pydict())


def _blocks(path: Path) -> str:
    try:
        file = BlockFile(path)
    except DamagedFile:
        return ""
    found: pa.Table = file.take(pa.array(range(1)).to_numpy())
    file.close()
    return str(found.to_pydict())
