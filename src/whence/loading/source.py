"""Opens the bytes of a file, or raises an error that says why it cannot."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from whence.loading.exact import Bytes
from whence.loading.scratch import Scratch, mapped
from whence.loading.unpack import GZIP, unpack
from whence.model.errors import BadInput

PARQUET = b"PAR1"

_MAGIC = {
    b"PK\x03\x04": "a ZIP or Excel file",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    PARQUET: "a Parquet file",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x7fELF": "a program",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"ARROW1": "an Arrow file",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
}


@dataclass(frozen=True)
class Source:
    """The unpacked content of a file. Hash and size are those of the file itself."""

    path: Path
    data: Bytes
    size: int
    hash: Future[str]
    is_packed: bool = False

    @property
    def sha256(self) -> str:
        """The file's hash. A background thread computes it while the file is read."""
        return self.hash.result()


def read_source(path: Path, scratch: Scratch, aside: Path | None = None) -> Source:
    """Open the bytes of a file that should hold text."""
    packed = _open(path)
    hashed = in_background(lambda: hashlib.sha256(packed).hexdigest())
    is_packed = packed[: len(GZIP)] == GZIP
    data = scratch.keep(unpack(packed, path, aside)) if is_packed else packed
    if not len(data):
        raise BadInput(f"The file {path} is empty.", "It has no header and no rows.")
    if path.suffix == ".gz" and not is_packed:
        raise BadInput(f"The file {path} is not a gzip file.", "Remove .gz from its name if it holds plain text.")
    for magic, what in _MAGIC.items():
        if data[: len(magic)] == magic:
            raise BadInput(f"The file {path} is not text; it looks like {what}.", "Give a CSV file.")
    return Source(path, data, len(packed), hashed, is_packed)


def in_background(work: Callable[[], str]) -> Future[str]:
    """Run work in a thread. It pays for work that releases Python's global lock, such as hashing."""
    future: Future[str] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        # Whatever goes wrong reaches the caller through `result()`. A thread would only print it.
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def _open(path: Path) -> Bytes:
    try:
        return mapped(path)
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.", _near(path)) from None
    except IsADirectoryError:
        raise BadInput(f"{path} is a folder, not a file.", "Name one of the files in it.") from None
    except PermissionError:
        raise BadInput(f"The file {path} may not be read.", "Ask its owner for permission.") from None
    except OSError as error:
        raise BadInput(f"The file {path} cannot be read: {error.strerror}.") from error


def _near(path: Path) -> str:
    if not path.parent.is_dir():
        return f"There is no folder {path.parent} either."
    alike = sorted(entry.name for entry in path.parent.iterdir() if entry.stem.lower() == path.stem.lower())
    return f"Did you mean {' or '.join(alike[:3])}?" if alike else "Check the path."
