"""Taking a gzip file apart without being flooded by it."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

from whence.model.errors import BadInput

GZIP = b"\x1f\x8b"

_HARMLESS = 32 << 20
"""Up to this size nothing is suspicious."""
_RATIO = 200
"""Text that is packed tighter than this is made to fill memory."""
_STEP = 1 << 20


def unpack(packed: bytes, path: Path) -> bytes:
    """The content of a gzip file."""
    unpacked = bytearray()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            while step := file.read(_STEP):
                unpacked += step
                _check(len(packed), len(unpacked), path)
    except EOFError as error:
        raise BadInput(f"The file {path} is cut off: its gzip data has no end.", "Get the whole file.") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BadInput(f"The file {path} is a damaged gzip file: {error}.", "Get it again.") from error
    return bytes(unpacked)


def _check(packed: int, unpacked: int, path: Path) -> None:
    if unpacked > max(_HARMLESS, packed * _RATIO):
        raise BadInput(
            f"The file {path} unpacks to more than {_RATIO} times its size.", "Unpack it yourself if you trust it."
        )
