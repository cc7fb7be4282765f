"""Decides which files of an archive are loaded, and says which are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.loading.archive import is_archive, unpack_archive
from whence.loading.delta_table import LOG
from whence.loading.folder import SUFFIXES, visible_files
from whence.loading.problems import Problem, of_file
from whence.loading.typed_formats import TYPED_SUFFIXES
from whence.model.errors import BadInput

_ONE_BY_ONE = (".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".sqlite", ".sqlite3", ".db")
"""Endings of files that are loaded if there is only one of them."""
_SHOWN = 5


@dataclass(frozen=True)
class UnpackedArchive:
    """An archive whose files lie in a folder."""

    path: Path
    """The archive."""
    folder: Path
    chosen: Path
    """What is loaded of it: the folder, or a single file."""
    notes: tuple[Problem, ...]

    def name_of(self, path: str) -> str:
        """Return the name of an unpacked file: the path of the archive, and the file's path in it."""
        return f"{self.path.resolve()}/{Path(path).relative_to(self.folder.resolve())}"

    def in_words(self, sentence: str) -> str:
        """Return a sentence with names of files as they are in the archive."""
        for folder in (self.folder, self.folder.resolve()):
            sentence = sentence.replace(f"{folder}/", f"{self.path.name}/")
        return sentence


def unpacked(path: Path, folder: Path) -> UnpackedArchive:
    """Unpack an archive into a folder, and choose the files to load as folders do."""
    without_data = unpack_archive(path, folder)
    found = visible_files(folder)
    chosen = _choose(path, folder, found)
    names = {file: file.relative_to(folder).as_posix() for file in found}
    others = [f"{names[file]}{_kind_words(file)}" for file in found if file not in chosen]
    others += [f"{name} (a link or device)" for name in without_data]
    notes = (of_file("other files", f"Not loaded from {path.name}: {_listed(others)}."),) if others else ()
    return UnpackedArchive(path, folder, chosen[0] if len(chosen) == 1 else folder, notes)


def _choose(path: Path, folder: Path, found: Sequence[Path]) -> Sequence[Path]:
    """Return the files to load: all delimited text, else all files with types, else the only file of another kind."""
    if (folder / "xl" / "workbook.xml").exists():
        raise BadInput(f"{path.name} is an Excel file.", "Give its name the ending .xlsx.")
    if next(folder.rglob(LOG), None) is not None:
        raise BadInput(f"{path.name} holds a Delta table.", "Unpack it and load the folder of the table.")
    for suffixes in (SUFFIXES, TYPED_SUFFIXES):
        if some := [file for file in found if file.name.lower().endswith(suffixes)]:
            return some
    some = [file for file in found if file.name.lower().endswith(_ONE_BY_ONE)]
    if not some and len(found) == 1 and not is_archive(found[0]):
        return found
    if len(some) > 1:
        names = _listed([file.relative_to(folder).as_posix() for file in some])
        raise BadInput(f"{path.name} holds several files that are not loaded as one: {names}.", "Unpack it, load one.")
    if not some:
        raise BadInput(f"{path.name} holds no file that can be loaded.", _contents(folder, found))
    return some


def _contents(folder: Path, found: Sequence[Path]) -> str:
    names = [f"{file.relative_to(folder).as_posix()}{_kind_words(file)}" for file in found]
    return f"It holds {_listed(names)}." if names else "It is empty."


def _kind_words(file: Path) -> str:
    is_workbook = file.suffix.lower() in (".xlsx", ".xlsm")
    return " (an archive itself, which is not unpacked)" if is_archive(file) and not is_workbook else ""


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
