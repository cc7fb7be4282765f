"""Notes about a dataset that came up after it was published, such as that its lineage could not be worked out.

A note is a derived file: if it is removed, or written by another version of whence, what it is about is tried again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from whence.model.caveat import Caveat
from whence.model.errors import DamagedFile
from whence.model.ids import DatasetId
from whence.store.derived import Derived, name_of
from whence.store.layout import entries
from whence.store.manifest import own_version

_FAMILY = "lineage"
"""The family of caveats that put nothing in doubt."""


@dataclass(frozen=True)
class LateNote:
    """A note, and the version of whence that wrote it."""

    version: str
    message: str

    @property
    def question(self) -> list[str]:
        """What its file is named by, so that a damaged note does not fit its name."""
        return [self.version, self.message]

    @property
    def text(self) -> str:
        """What its file holds."""
        return json.dumps(asdict(self))


class LateNotes:
    """The notes of a workspace, one file for each dataset and message."""

    def __init__(self, derived: Derived) -> None:
        self._derived = derived

    def add(self, dataset: DatasetId, message: str) -> None:
        """Write a note; a disk that fails must not stop a question, which would find the same out again."""
        note = LateNote(own_version(), message)
        path = self._derived.path("notes", dataset, note.question)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(note.text, encoding="utf-8")

    def of(self, dataset: DatasetId) -> list[Caveat]:
        """Return the notes of a dataset as caveats."""
        return [Caveat(each.message, _FAMILY) for each in self._read(dataset) if each.version == own_version()]

    def has(self, dataset: DatasetId, message: str) -> bool:
        """Whether this note was written."""
        return any(each.message == message for each in self.of(dataset))

    def _read(self, dataset: DatasetId) -> Iterator[LateNote]:
        for path in entries(self._derived.folder("notes") / dataset):
            with suppress(DamagedFile):  # what it is about is tried again
                yield read_note(path)


def read_note(path: Path) -> LateNote:
    """Read the file of a note, and check that it is as it was written."""
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text)
        note = LateNote(str(content["version"]), str(content["message"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedFile(f"{path} is no note.") from error
    if note.text != text or name_of(note.question) != path.name:
        raise DamagedFile(f"{path} is damaged.")
    return note
