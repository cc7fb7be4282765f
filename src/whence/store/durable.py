"""How bytes reach the disk for good: written, synced, renamed, and the directory synced as well."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Self

from whence.model.errors import UserError
from whence.store.faults import around

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in one sentence what the disk would not do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = "Free some space and try again." if full else "Check the disk and its permissions, and try again."
        # Some libraries put words of their own around what the system says.
        why = os.strerror(error.errno) if full and error.errno is not None else error.strerror or str(error)
        raise UserError(f"{path} cannot be written: {why}.", hint) from error


class HashingFile:
    """A file written once from start to end, whose SHA-256 is known when it is closed."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("xb")
        self._hash = hashlib.sha256()
        self.size = 0

    @property
    def closed(self) -> bool:
        """Parquet's and Arrow's writers ask before each write."""
        return self._file.closed

    @property
    def sha256(self) -> str:
        """Of everything written so far."""
        return self._hash.hexdigest()

    def writable(self) -> bool:
        """Parquet's and Arrow's writers ask this first."""
        return True

    def write(self, data: bytes | memoryview) -> int:
        """Write and hash the bytes."""
        self._hash.update(data)
        self._file.write(data)
        count = memoryview(data).nbytes
        self.size += count
        return count

    def tell(self) -> int:
        """Where the next byte goes."""
        return self.size

    def flush(self) -> None:
        """Hand what is buffered to the operating system."""
        self._file.flush()

    def sync(self, action: str) -> None:
        """Return only when the bytes are on the disk; `action` names the moment for crash tests."""
        with around(action):
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; without `sync` nothing is promised."""
        self._file.close()


class Syncs:
    """Syncs that run side by side: one after the other each waits for the disk alone, together they wait once.

    Nothing is promised before `wait` has returned.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(8, "whence-sync")
        self._running: list[Future[None]] = []

    def file(self, file: HashingFile, path: Path, action: str) -> None:
        """Sync and close a file that is written."""

        def sync() -> None:
            with writing(path):
                try:
                    file.sync(action)
                finally:
                    file.close()

        file.flush()
        self._running.append(self._pool.submit(sync))

    def directory(self, path: Path) -> None:
        """Sync the names that are in a directory by now."""
        self._running.append(self._pool.submit(sync_directory, path))

    def wait(self) -> None:
        """Return when everything asked for so far is on the disk."""
        asked, self._running = self._running, []
        wait(asked)
        for each in asked:
            each.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()


def write_file(path: Path, fill: Callable[[HashingFile], None], action: str, syncs: Syncs | None = None) -> HashingFile:
    """Make a new file, fill it, and return when it is on the disk; a file that could not be filled is removed.

    With `syncs` it is on the disk when these are waited for.
    """
    with writing(path):
        file = HashingFile(path)
        try:
            fill(file)
            if syncs is not None:
                syncs.file(file, path, action)
                return file
            file.sync(action)
            file.close()
        except BaseException:
            _give_up(file, path)
            raise
    return file


def _give_up(file: HashingFile, path: Path) -> None:
    with suppress(OSError):  # what is still buffered cannot be written either; the first error is the one to show
        file.close()
    path.unlink(missing_ok=True)


def write_json(path: Path, content: object, action: str, syncs: Syncs | None = None) -> HashingFile:
    """Write a JSON document that people can read, too: a line for each entry."""
    data = _lines(content).encode()

    def fill(file: HashingFile) -> None:
        file.write(data)

    return write_file(path, fill, action, syncs)


def _lines(content: object) -> str:
    # With `indent` Python encodes in Python, ten times slower.
    if not isinstance(content, Mapping):
        return _encode(content)
    entries = (f"{_encode(name)}: {_encode(content[name])}" for name in sorted(content))
    return "{\n" + ",\n".join(entries) + "\n}\n"


def sync_directory(path: Path) -> None:
    """Make the names in a directory last: a rename is safe only after this."""
    with writing(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def rename(source: Path, target: Path, action: str, syncs: Syncs | None = None) -> None:
    """Move within one file system, and return when the new name is on the disk, or will be with these syncs."""
    with writing(target), around(action):
        source.rename(target)
        if syncs is None:
            sync_directory(target.parent)
        else:
            syncs.directory(target.parent)


def hash_file(path: Path) -> str:
    """The SHA-256 of a whole file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync_and_hash(path: Path, action: str) -> tuple[int, str]:
    """Size and SHA-256 of a file that another process has written, when it is on the disk."""
    with writing(path), path.open("rb") as file:
        with around(action):
            os.fsync(file.fileno())
        return os.fstat(file.fileno()).st_size, hashlib.file_digest(file, "sha256").hexdigest()
