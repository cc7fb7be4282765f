"""The files that a folder or a pattern stands for, in order."""

from __future__ import annotations

import glob
from pathlib import Path

from whence.model.errors import BadInput

SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")


def is_pattern(path: Path) -> bool:
    """Whether a path stands for several files: it contains * ? or [ and is no file itself."""
    return glob.has_magic(str(path)) and not path.exists()


def files_of(path: Path) -> list[Path]:
    """Return the delimited files of a folder, or all files that match a pattern, sorted."""
    found = visible_files(path)
    if is_pattern(path):
        if not found:
            raise BadInput(f"No file matches {path}.", "Check the pattern and the folder.")
        return found
    files = [file for file in found if file.name.lower().endswith(SUFFIXES)]
    if not files:
        raise BadInput(f"The folder {path} has no CSV file in it.", f"It has {len(found)} other files.")
    return files


def visible_files(path: Path) -> list[Path]:
    """Return every file of a folder or a pattern, sorted. Only a pattern may match hidden files and folders."""
    if is_pattern(path):
        return sorted(Path(file) for file in glob.glob(str(path), recursive=True) if Path(file).is_file())
    return sorted(file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path)))


def _is_hidden(path: Path) -> bool:
    """Whether a file or one of its folders has a name for what is no data, such as `_delta_log`."""
    return any(part.startswith((".", "_")) for part in path.parts)
