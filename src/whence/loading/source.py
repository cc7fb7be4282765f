"""Getting at the bytes of a file, or saying in one sentence why that cannot be done."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from whence.loading.unpack import GZIP, unpack
from whence.model.errors import BadInput

_MAGIC = {
    b"PK\x03\x04": "a ZIP or Excel file",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"PAR1": "a Parquet file",
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
    """What a file holds, unpacked; hash and size are those of the file itself."""

    path: Path
    data: bytes
    sha256: str
    size: int


def read_source(path: Path) -> Source:
    """Read a file that should hold text."""
    packed = _read(path)
    data = unpack(packed, path) if packed.startswith(GZIP) else packed
    if not data:
        raise BadInput(f"The file {path} is empty.", "It has no header and no rows.")
    if path.suffix == ".gz" and data is packed:
        raise BadInput(f"The file {path} is not a gzip file.", "Remove .gz from its name if it holds plain text.")
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise BadInput(f"The file {path} is not text; it looks like {what}.", "Give a CSV file.")
    return Source(path, data, hashlib.sha256(packed).hexdigest(), len(packed))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
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
