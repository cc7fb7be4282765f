"""The storage that a workspace shares with Spark's executors: its own folder, or one that all of them can write to.

The workspace records the place and the name of its folder there in `storage.json`. That folder records the last opening
that used it, so that an old copy of a workspace cannot clear away what the workspace itself has made since.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from whence.model.errors import BadInput, DamagedFile, UserError
from whence.store.durable import sync_directory, write_json, writing
from whence.store.layout import DATASETS, entries

NOTE = "storage.json"
_LAST_OPENING = "opening"


@dataclass(frozen=True)
class Storage:
    """A storage folder outside the workspace, and the name of this workspace's own folder in it."""

    place: Path
    name: str

    @property
    def folder(self) -> Path:
        """The folder that belongs to this workspace alone."""
        return self.place / self.name

    def claim(self, opening: int) -> None:
        """Record this opening in the folder. Raise an error if a later opening has already used it."""
        note = self.folder / _LAST_OPENING
        try:
            last = int(note.read_text(encoding="ascii")) if note.exists() else 0
        except (OSError, ValueError) as error:
            raise DamagedFile(
                f"{note} cannot be read.", f"If you know this workspace is the only one, delete {note}."
            ) from error
        if last >= opening:
            raise UserError(
                f"{self.folder} was used since by another copy of this workspace.",
                "Open that copy; two copies of a workspace cannot share one storage.",
            )
        # Written beside it and renamed, so that a crash never leaves half a number.
        waiting = note.with_suffix(".new")
        with writing(note):
            waiting.write_text(str(opening), encoding="ascii")
            waiting.replace(note)
            sync_directory(self.folder)


def storage_of(root: Path) -> Storage | None:
    """Return the storage that a workspace recorded, or None if everything is in its own folder."""
    path = root / NOTE
    if not path.exists():
        return None
    damaged = DamagedFile(f"The file {path} is not what was written.", "Pass storage= and delete it.")
    try:
        found = json.loads(path.read_bytes())
        storage, check = Storage(Path(found["place"]), found["name"]), found["check"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged from error
    if check != _check(storage):
        raise damaged
    return storage


def chosen_storage(root: Path, asked: str | None) -> Storage | None:
    """Return the storage to use: the recorded one, perhaps under a new path, or a new one for a new workspace."""
    noted = storage_of(root)
    if asked is None:
        return None if noted is None else _check_is_there(noted)
    place = _folder_of(asked)
    if noted is not None:
        moved = _check_is_there(Storage(place, noted.name))
        if moved != noted:
            _note(root, moved)
        return moved
    if entries(root / DATASETS):
        raise UserError(
            f"The workspace {root} keeps its datasets in its own folder.",
            "Storage is chosen when a workspace is made: make a new one with storage=.",
        )
    return _new(root, place)


def _folder_of(asked: str) -> Path:
    scheme, separator, rest = asked.partition("://")
    if separator and scheme != "file":
        raise BadInput(
            f"Storage is a folder that this machine and all executors see under one path, and {asked} is none.",
            "Mount it, and give the folder.",
        )
    return Path(rest if separator else asked).resolve()


def _check_is_there(storage: Storage) -> Storage:
    if not storage.folder.is_dir():
        raise UserError(
            f"The storage of this workspace, {storage.folder}, is not there.",
            "Mount it, or say where it is now with storage=.",
        )
    return storage


def _new(root: Path, place: Path) -> Storage:
    # A random part, because two workspaces of the same name may use one place.
    storage = Storage(place, f"{root.name}-{secrets.token_hex(4)}")
    with writing(storage.folder):
        storage.folder.mkdir(parents=True)
        sync_directory(place)
    _note(root, storage)
    return storage


def _note(root: Path, storage: Storage) -> None:
    waiting = root / f"{NOTE}.new"
    # A crash may have left one, and `write_json` does not overwrite files.
    waiting.unlink(missing_ok=True)
    content = {"place": str(storage.place), "name": storage.name, "check": _check(storage)}
    write_json(waiting, content, "sync-document")
    with writing(root / NOTE):
        waiting.replace(root / NOTE)
        sync_directory(root)


def _check(storage: Storage) -> str:
    return hashlib.sha256(str(storage.folder).encode()).hexdigest()
