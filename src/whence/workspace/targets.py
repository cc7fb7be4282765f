"""Finds the dataset version that the argument `to` of a lineage question names."""

from __future__ import annotations

from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotRelated, UserError
from whence.model.ids import DatasetId
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store
from whence.workspace.references import names_version, version_of


class Targets:
    """Finds the target of a lineage question. It caches names until a dataset version is added or removed."""

    def __init__(self, store: Store, trace: Trace) -> None:
        self._store = store
        self._trace = trace
        self._named_ancestor = MemoryCache(store, self._find_ancestor, most=4096)
        self._named_descendant = MemoryCache(store, self._find_descendant, most=4096)

    def ancestor(self, record: DatasetRecord, to: object) -> DatasetRecord:
        """Return the ancestor that `to` names: the version this dataset was made from. None means its only source."""
        if to is None or isinstance(to, str):
            # The count of changes is part of the cache key, so that an entry from before a change is never found.
            return self._named_ancestor(record.id, to, self._store.changes)
        return version_of(self._store, to)

    def descendant(self, record: DatasetRecord, to: object) -> DatasetRecord:
        """Return the descendant that `to` names: its newest version made from this dataset. None means the only one."""
        if to is None or isinstance(to, str):
            return self._named_descendant(record.id, to, self._store.changes)
        return version_of(self._store, to)

    def _find_ancestor(self, dataset: DatasetId, to: str | None, _changes: int) -> DatasetRecord:
        """Find an ancestor by name. Raise if several versions of the name are ancestors."""
        record = self._store.by_id(dataset)
        if to is None:
            return _only(record, [self._store.by_id(parent) for parent in record.parents], "made from")
        if names_version(to):
            return version_of(self._store, to)
        found = [each for each in self._trace.ancestors(record) if each.name.lower() == to.strip().lower()]
        if len(found) > 1:
            labels = ", ".join(each.label for each in found)
            raise UserError(f"{record.label} was made from several versions of {to}: {labels}.", "Name one.")
        return found[0] if found else version_of(self._store, to)

    def _find_descendant(self, dataset: DatasetId, to: str | None, _changes: int) -> DatasetRecord:
        """Find the newest version of a name that was made from this dataset. Raise if none was."""
        record = self._store.by_id(dataset)
        if to is None:
            return _only(record, self._store.children(dataset), "used by")
        if names_version(to):
            return self._made_from(record, version_of(self._store, to))
        for version in reversed(self._store.versions(to)):
            if record in self._trace.ancestors(version):
                return version
        raise self._unrelated(record, f"No version of {to} was made from {record.label}.")

    def _made_from(self, record: DatasetRecord, version: DatasetRecord) -> DatasetRecord:
        if record in self._trace.ancestors(version):
            return version
        raise self._unrelated(record, f"{version.label} was not made from {record.label}.")

    def _unrelated(self, record: DatasetRecord, sentence: str) -> NotRelated:
        labels = ", ".join(each.label for each in self._trace.descendants(record))
        return NotRelated(sentence, f"Made from it: {labels}." if labels else "Nothing was made from it yet.")


def _only(record: DatasetRecord, related: list[DatasetRecord], how: str) -> DatasetRecord:
    """Return the only related dataset. Raise if there is none or more than one, so that the user names it."""
    if len(related) == 1:
        return related[0]
    names = ", ".join(each.label for each in related) or "nothing"
    raise UserError(f"Say to which dataset: {record.label} is {how} {names}.", "Pass to=...")
