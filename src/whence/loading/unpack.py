"""Unpacks gzip files, with protection against decompression bombs, and keeps the readable part of a damaged one."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from whence.loading.exact import Bytes
from whence.loading.scratch import blocks
from whence.model.errors import BadInput
from whence.store.durable import writing

GZIP = b"\x1f\x8b"

_HARMLESS = 32 << 20
"""Bytes up to which no unpacked size is suspicious."""
_RATIO = 200
"""Text that is packed tighter than this is probably meant to fill memory."""
_STEP = 1 << 20
# zlib: 15 bits of window, plus 16 for a gzip header.
_WITH_GZIP_HEADER = 31


def unpack(packed: Bytes, path: Path, aside: Path | None = None) -> Iterator[bytes]:
    """Yield the content of a gzip file. Of a damaged one, save the complete lines before the damage in `aside`."""
    size = 0
    try:
        for piece in _pieces(packed):
            size += len(piece)
            check_size(len(packed), size, path)
            yield piece
    except EOFError as error:
        kept = _save_readable_part(packed, path, aside)
        raise BadInput(
            f"The file {path} is cut off: its gzip data has no end.", kept or "Get the whole file."
        ) from error
    except zlib.error as error:
        kept = _save_readable_part(packed, path, aside)
        raise BadInput(f"The file {path} is a damaged gzip file: {error}.", kept or "Get it again.") from error


def _pieces(packed: Bytes) -> Iterator[bytes]:
    """Yield the content of one gzip member after the other. Zeros may follow the last one, as tapes pad files."""
    member = zlib.decompressobj(_WITH_GZIP_HEADER)
    for block in blocks(packed, size=_STEP):
        waiting = block
        while waiting:
            if member.eof:
                if not waiting.strip(b"\0"):
                    break
                member = zlib.decompressobj(_WITH_GZIP_HEADER)
            # At most 1 MB at a time, so that `check_size` sees a bomb before it fills memory.
            yield member.decompress(waiting, _STEP)
            waiting = member.unconsumed_tail or member.unused_data
    if not member.eof:
        raise EOFError


def _save_readable_part(packed: Bytes, path: Path, aside: Path | None) -> str:
    """Write what can be read, up to the last complete line, and return a sentence that says where it is."""
    if aside is None:
        return ""
    target = aside / f"{path.name.removesuffix('.gz')}-until-damage"
    aside.mkdir(parents=True, exist_ok=True)
    line = b""
    with writing(target), target.open("wb") as file, suppress(EOFError, zlib.error):
        for piece in _pieces(packed):
            whole, newline, rest = piece.rpartition(b"\n")
            file.write(line + whole + newline if newline else b"")
            line = rest if newline else line + rest
    return f"What could be read of it is in {target}."


def check_size(packed: int, unpacked: int, path: Path) -> None:
    """Raise an error if a file unpacks to far more than its size."""
    if unpacked > max(_HARMLESS, packed * _RATIO):
        raise BadInput(
            f"The file {path} unpacks to more than {_RATIO} times its size.", "Unpack it yourself if you trust it."
        )
