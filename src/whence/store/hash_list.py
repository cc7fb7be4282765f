"""The hash list of a folder of derived files whose own format has no checksums: one line per file, beside the files."""

from __future__ import annotations

from pathlib import Path

from whence.model.errors import DamagedFile
from whence.store.durable import hash_file

_LIST = "hashes"


def write_hash_list(folder: Path) -> None:
    """List every file of the folder with its hash. The folder must be complete."""
    (folder / _LIST).write_text(_hashes(folder), encoding="utf-8")


def check_hash_list(folder: Path) -> None:
    """Raise `DamagedFile` unless the folder holds exactly the files of its list, byte by byte."""
    try:
        is_whole = (folder / _LIST).read_bytes() == _hashes(folder).encode()
    except OSError:
        is_whole = False
    if not is_whole:
        raise DamagedFile(f"The folder {folder} is not what was written.", "Delete it; it is made again.")


class WholeFolders:
    """Which folders hold what was written, with the bytes of each read once per opening of the workspace."""

    def __init__(self) -> None:
        self._known: set[Path] = set()

    def has(self, folder: Path) -> bool:
        """Whether a folder is there and holds exactly the files of its list."""
        if not folder.exists():
            return False
        if folder not in self._known:
            try:
                check_hash_list(folder)
            except DamagedFile:
                return False
            self._known.add(folder)
        return True

    def add(self, folder: Path) -> None:
        """Take a folder that was just written for whole."""
        self._known.add(folder)


def _hashes(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / _LIST)
    return "".join(f"{hash_file(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)
