"""The manifest of a dataset version: the file that lists all its other files with their sizes and hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pyarrow as pa

from whence.model.errors import DamagedFile, NotSupported
from whence.store.draft import Draft
from whence.store.durable import HashingFile, Syncs, write_json
from whence.store.layout import MANIFEST
from whence.store.records import doubt_to_json, schema_to_json
from whence.store.runs import Run

FORMAT = 1


@dataclass(frozen=True)
class StoredFile:
    """Size and hash of one file that is not a part file."""

    size: int
    sha256: str


@dataclass(frozen=True)
class StoredPart:
    """One part file at its final path. `offset` is the row id of its first row.

    Page checksums do not cover Parquet's footer, so the footer has its own hash, checked whenever the file is opened.
    """

    path: str
    offset: int
    rows: int
    size: int
    sha256: str
    footer_size: int
    footer_sha256: str
    changed: int | None = None
    """Modification time in nanoseconds of a linked file outside the workspace. Its `sha256` covers the footer alone."""


@dataclass(frozen=True)
class Manifest:
    """The files of one dataset version. `files` and `lineage` map file names to size and hash."""

    rows: int
    parts: tuple[StoredPart, ...]
    files: Mapping[str, StoredFile]
    lineage: Mapping[str, StoredFile]


def write_manifest(folder: Path, run: Run, draft: Draft, manifest: Manifest, syncs: Syncs) -> HashingFile:
    """Write the manifest. It must be the last file of a dataset version, because it lists the others."""
    content = {
        "format": FORMAT,
        "writer": {"whence": own_version(), "pyarrow": pa.__version__},
        "id": run.dataset_id,
        "name": run.name,
        "origin": run.origin,
        "text": draft.text,
        "schema": schema_to_json(draft.schema),
        "parents": list(draft.parents),
        "doubt": doubt_to_json(draft.doubt),
        "sources": [asdict(source) for source in draft.sources],
        "documents": sorted(draft.documents),
        **asdict(manifest, dict_factory=_without_nulls),
    }
    return write_json(folder / MANIFEST, content, "sync-manifest", syncs)


def read_manifest(folder: Path, sha256: str) -> Manifest:
    """Read a manifest. Raise `DamagedFile` if its hash is not the one in the database."""
    try:
        data = (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise DamagedFile(
            f"The dataset folder {folder.name} cannot be read: {error.strerror}.", "Make the dataset again."
        ) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise DamagedFile(f"The manifest of dataset folder {folder.name} is not what was written.")
    content = json.loads(data)
    if content["format"] > FORMAT:
        raise NotSupported(
            f"Dataset folder {folder.name} has format {content['format']}; this whence reads up to {FORMAT}.",
            "Use a newer whence.",
        )
    return Manifest(
        content["rows"],
        tuple(StoredPart(**part) for part in content["parts"]),
        {name: StoredFile(**file) for name, file in content["files"].items()},
        {name: StoredFile(**file) for name, file in content["lineage"].items()},
    )


def _without_nulls(items: list[tuple[str, object]]) -> dict[str, object]:
    return {name: value for name, value in items if value is not None}


@cache
def own_version() -> str:
    """Return the version of the installed whence package."""
    try:
        return version("whence-data")
    except PackageNotFoundError:
        return "unpackaged"
