"""Part files outside the workspace: read in place, pinned by size, time and footer, never written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.errors import BadInput, DamagedFile
from whence.store.footer import read_footer
from whence.store.layout import ROWS, Layout, entries
from whence.store.manifest import Manifest
from whence.store.parts import PartFile


def refer_to(path: Path) -> PartFile:
    """Return a Parquet file outside the workspace as a part of a dataset."""
    try:
        size, footer = read_footer(path)
        rows = pq.read_metadata(pa.BufferReader(footer.data)).num_rows
        return PartFile(str(path.resolve()), rows, size, footer.sha256, changed=path.stat().st_mtime_ns)
    except (OSError, pa.ArrowException, DamagedFile) as error:
        raise BadInput(f"The Parquet file {path} cannot be read: {error}.", "Get it again.") from error


def check_references(label: str, folder: Path, manifest: Manifest) -> None:
    """Raise `DamagedFile` if a file that this dataset refers to was changed or removed."""
    for path, reason in changed_references(folder, manifest):
        raise DamagedFile(
            f"{label} is read where it lies, and {path} {reason}.",
            "Load it again as a new version, or bring the old file back.",
        )


def changed_references(folder: Path, manifest: Manifest) -> Iterator[tuple[Path, str]]:
    """Yield the files that changed since they were pinned, with the reason."""
    for part in manifest.parts:
        if part.changed is None:
            continue
        path = folder / part.path
        try:
            status = path.stat()
        except OSError as error:
            yield path.readlink(), f"cannot be read: {error.strerror}"
            continue
        if (status.st_size, status.st_mtime_ns) != (part.size, part.changed):
            yield path.readlink(), "was changed since"


def linked_files(layout: Layout) -> Iterator[Path]:
    """Yield the files outside the workspace that hold rows of its datasets."""
    for dataset in entries(layout.datasets):
        for part in entries(dataset / ROWS):
            # The rows of one dataset lie either all in the workspace or all outside.
            if not any(each.is_symlink() for each in os.scandir(part)):
                break
            yield from (file.resolve() for file in entries(part))
