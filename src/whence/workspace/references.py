"""How users name a dataset version: a name, `name@3`, or the dataset itself."""

from __future__ import annotations

from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.store.store import Store


def versions_of(store: Store, reference: object) -> list[DatasetRecord]:
    """The versions a reference means where a bare name means all of them."""
    if isinstance(reference, str) and not names_version(reference):
        return store.versions(reference)
    return [version_of(store, reference)]


def version_of(store: Store, reference: object) -> DatasetRecord:
    """The version a reference means; a bare name means the newest."""
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
    """Whether it is a name with a version number, such as `t@3`."""
    name, _, number = reference.rpartition("@")
    return bool(name) and number.isdigit()
