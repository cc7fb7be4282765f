"""Pending sheets: edits that are neither applied nor discarded, in one append-only file of JSON lines per sheet."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from whence.model.errors import UnknownSheet
from whence.store.durable import rename, sync_directory, writing
from whence.store.faults import around
from whence.store.layout import Layout, entries

# An id becomes part of a path, so nothing else is accepted.
_ID = re.compile(r"[0-9a-f]{16}")
_ENDING = ".jsonl"


class PendingSheets:
    """The pending sheets of one workspace."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def make(self, dataset: str) -> str:
        """Create a sheet over a dataset version and return its id."""
        id = secrets.token_hex(8)
        with writing(self._layout.sheets):
            self._layout.sheets.mkdir(exist_ok=True)
            sync_directory(self._layout.root)
        # A crash while a sheet is being opened must not leave an empty file: no sheet could then be listed.
        begun = self._path(id).with_suffix(".new")
        self._append(begun, {"dataset": dataset})
        rename(begun, self._path(id), "rename-sheet")
        return id

    def add(self, id: str, content: Mapping[str, object]) -> None:
        """Append one line. When this returns the line is on the disk. If it raises, no part of it is."""
        self._append(self._path(id), content)

    def ids(self) -> list[str]:
        """Return the ids of all pending sheets, least recently edited first."""
        paths = [path for path in entries(self._layout.sheets) if path.suffix == _ENDING]
        return [path.stem for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns)]

    def read(self, id: str) -> tuple[str, list[dict[str, object]]]:
        """Return the dataset version that a sheet edits, and its lines."""
        path = self._path(id)
        if not _ID.fullmatch(id) or not path.is_file():
            raise UnknownSheet(f"There is no open sheet {id}.", "It may have been applied or discarded.")
        first, *steps = _whole_lines(path)
        return str(first["dataset"]), steps

    def remove(self, id: str) -> None:
        """Delete a sheet that was applied or discarded."""
        if _ID.fullmatch(id):
            self._path(id).unlink(missing_ok=True)

    def _path(self, id: str) -> Path:
        return self._layout.sheets / f"{id}{_ENDING}"

    def _append(self, path: Path, content: Mapping[str, object]) -> None:
        with writing(path), path.open("ab") as file:
            before = file.tell()
            try:
                file.write(json.dumps(content).encode() + b"\n")
                file.flush()
                with around("sync-sheet"):
                    os.fsync(file.fileno())
            except OSError:
                file.truncate(before)  # what comes next must not be glued to half a line
                raise


def pending_sheets_of(layout: Layout, names: set[str]) -> Iterator[Path]:
    """Yield the files of sheets over datasets of these names, and files that cannot be read."""
    for path in entries(layout.sheets):
        try:
            dataset = str(_whole_lines(path)[0]["dataset"])
        except (OSError, ValueError, KeyError, IndexError):
            yield path
        else:
            if dataset.rpartition("@")[0].lower() in names:
                yield path


def edited_versions(layout: Layout) -> list[str]:
    """Return the dataset versions that pending sheets edit, as `name@version`."""
    found = []
    for path in entries(layout.sheets):
        with suppress(OSError, ValueError, KeyError, IndexError):
            found.append(str(_whole_lines(path)[0]["dataset"]))
    return found


def _whole_lines(path: Path) -> list[dict[str, object]]:
    """Return the complete lines. Cut off a last line that a crash left incomplete: it was never acknowledged."""
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    return [json.loads(line) for line in whole.splitlines()]
