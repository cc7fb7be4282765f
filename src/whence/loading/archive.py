"""Unpacks zip and tar files into a folder, with protection against hostile ones."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from whence.loading.typed_file import begins_with
from whence.loading.unpack import GZIP, check_size
from whence.model.errors import BadInput
from whence.store.durable import writing

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_BZIP2, _XZ = b"BZh", b"\xfd7zXZ"
_TAR, _TAR_AT = b"ustar", 257
MOST_MEMBERS = 10_000
_STEP = 1 << 20
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
)


@dataclass(frozen=True)
class Member:
    """One file of an archive. `data` is None for links and devices, which hold no data of their own."""

    name: str
    data: IO[bytes] | None


def is_archive(path: Path) -> bool:
    """Whether a file is a zip file, or a tar file, plain or packed, whatever its name."""
    return path.is_file() and (_is_zip(path) or _is_tar(path))


def unpack_archive(path: Path, folder: Path) -> list[str]:
    """Write the files of an archive into a new folder. Return the names of its entries that hold no data."""
    folder.mkdir(parents=True)
    room = _Room(path, free_bytes(folder) // 2)
    without_data = []
    try:
        for number, member in enumerate(_members(path)):
            if number >= MOST_MEMBERS:
                raise BadInput(f"{path.name} holds more than {MOST_MEMBERS:,} files.", "Unpack it yourself.")
            target = folder.joinpath(*_safe_parts(path, member.name))
            if member.data is None:
                without_data.append(member.name)
            else:
                _write(path, member.data, target, room)
    except _DAMAGE as error:
        raise BadInput(
            f"The archive {path} cannot be read: {str(error) or 'it is cut off'}.", "Get it again."
        ) from error
    return without_data


def free_bytes(folder: Path) -> int:
    """Return the free bytes on the disk of a folder."""
    return shutil.disk_usage(folder).free


class _Room:
    """Counts what an archive unpacks to."""

    def __init__(self, path: Path, most: int) -> None:
        self._path = path
        self._packed = path.stat().st_size
        self._most = most
        self._size = 0

    def take(self, size: int) -> None:
        """Raise an error if the archive explodes, or leaves the disk too full for the dataset."""
        self._size += size
        check_size(self._packed, self._size, self._path)
        if self._size > self._most:
            raise BadInput(
                f"The archive {self._path} unpacks to more than half of the free disk, {self._most / 2**20:,.0f} MB.",
                "Free some space, or unpack it elsewhere and load the folder.",
            )


def _write(path: Path, data: IO[bytes], target: Path, room: _Room) -> None:
    if target.exists():
        raise BadInput(f"{path.name} holds two files of the name {target.name} in one folder.", "Unpack it yourself.")
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        file = target.open("xb")
    with data, file:
        while chunk := data.read(_STEP):
            # Counted here, because the size that an archive states may be a lie.
            room.take(len(chunk))
            with writing(target):
                file.write(chunk)


def _safe_parts(path: Path, name: str) -> tuple[str, ...]:
    """Return the folders and the name of a member. Raise an error if they lead out of the archive."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\\" in name or ":" in parts[0] or "\0" in name:
        raise BadInput(f"{path.name} holds {name!r}, a path that leaves the archive.", "Do not trust this file.")
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        raise BadInput(f"{path.name} holds {name!r}, a name that is not UTF-8.", "Unpack it yourself.")
    return parts


def _is_zip(path: Path) -> bool:
    return any(begins_with(path, magic) for magic in _ZIP)


def _is_tar(path: Path) -> bool:
    try:
        with _opened(path) as file:
            return file.read(_TAR_AT + len(_TAR))[_TAR_AT:] == _TAR
    except _DAMAGE:
        return False  # the reader of packed text reports what is wrong with the file


def _opened(path: Path) -> IO[bytes]:
    """Open the bytes of a file, unpacked if it is packed."""
    if begins_with(path, GZIP):
        return cast("IO[bytes]", gzip.open(path))
    if begins_with(path, _BZIP2):
        return cast("IO[bytes]", bz2.open(path))
    return cast("IO[bytes]", lzma.open(path)) if begins_with(path, _XZ) else path.open("rb")


def _members(path: Path) -> Iterator[Member]:
    return _zip_members(path) if _is_zip(path) else _tar_members(path)


def _zip_members(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for each in archive.infolist():
            if each.flag_bits & 1:
                raise BadInput(f"{path.name} is encrypted.", "Unpack it with its password and load the folder.")
            is_link = stat.S_ISLNK(each.external_attr >> 16)
            if not each.is_dir():
                yield Member(each.filename, None if is_link else archive.open(each))


def _tar_members(path: Path) -> Iterator[Member]:
    # A stream: members are read in the order of the file, once.
    with _opened(path) as file, tarfile.open(fileobj=file, mode="r|") as archive:
        for each in archive:
            if not each.isdir():
                yield Member(each.name, archive.extractfile(each) if each.isreg() else None)
