"""The draft of a dataset version: everything that `publish` needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.store.arrays import Array
from whence.store.parts import PartFile


@dataclass(frozen=True)
class SourceFile:
    """A file that data came from: copied into the workspace, or only referenced if it is large."""

    sha256: str
    size: int
    path: str
    """Path relative to the workspace if the file was copied, else the path where it was found."""
    copied: bool = True


@dataclass(frozen=True)
class Draft:
    """A dataset version whose parts are in staging. `arrays` maps a file's stem to the index arrays of that file."""

    schema: Schema
    parts: tuple[PartFile, ...]
    text: str
    parents: tuple[DatasetId, ...] = ()
    doubt: Doubt = field(default_factory=Doubt)
    caveats: Sequence[Caveat] = ()
    documents: Mapping[str, object] = field(default_factory=dict)
    arrays: Mapping[str, Mapping[str, Array]] = field(default_factory=dict)
    sources: tuple[SourceFile, ...] = ()
    key: str | None = None
    """The column that the user declared as the row key."""
