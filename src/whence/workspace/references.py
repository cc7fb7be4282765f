"""Finds the dataset version that a user names: by a name, by `name@3`, or by the dataset itself."""

from __future__ import annotations

from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.store.store import Store


def versions_of(store: Store, reference: object) -> list[DatasetRecord]:
    """Return the versions that a reference names. A bare name means all its versions."""
    if isinstance(reference, str) and not names_version(reference):
        return store.versions(reference)
    return [version_of(store, reference)]


def version_of(store: Store, reference: object) -> DatasetRecord:
    """Return the version that a reference names. A bare name means the current one."""
    record = getattr(reference, "record", reference)
    if isinstance(record, DatasetRecord):
        return record
    if not isinstance(reference, str):
        raise UnknownDataset(f"{reference!r} is not a dataset.", "Give a name, a name@version or a dataset.")
    if names_version(reference):
        name, _, number = reference.rpartition("@")
        return store.version(name, int(number))
    return store.current(reference)


def names_version(reference: str) -> bool:
    """Return whether a reference has a version number, as `t@3` does."""
    name, _, number = reference.rpartition("@")
    return bool(name) and number.isdigit()
