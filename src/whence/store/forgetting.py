"""What leaves a workspace for good, and what else that reaches: `store.forgetting`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store import forget, records, sources
from whence.store.database import Database
from whence.store.derived import Derived
from whence.store.dropped import is_scratch
from whence.store.forgotten import forgotten_record
from whence.store.layout import Layout
from whence.store.pending_sheets import pending_sheets_of
from whence.store.replace import discard_replacements, replace_versions


class Forgetting:
    """Removes dataset versions for good, or replaces them by versions without some rows."""

    def __init__(
        self,
        database: Database,
        layout: Layout,
        derived: Derived,
        removing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """`removing` gives the block in which the store lets go of what it has cached."""
        self._database = database
        self._layout = layout
        self._derived = derived
        self._removing = removing

    def forget(
        self, chosen: Sequence[DatasetRecord], *, also_dependants: bool = False, keep_dependants: bool = False
    ) -> list[DatasetRecord]:
        """Remove dataset versions for good and return every version that was removed."""
        with self._database.read() as connection:
            known = {record.id: record for record in records.all_versions(connection)}
        ids = [record.id for record in chosen]
        with self._removing():
            went = forget.forget(self._database, self._layout, ids, also=also_dependants, keep=keep_dependants)
        return [known[each] for each in went]

    def replace_versions(self, replacements: Mapping[DatasetId, DatasetId], others: Sequence[DatasetId]) -> None:
        """Put hidden new versions in the place of old ones, which go for good with `others`."""
        with self._removing():
            replace_versions(self._database, self._layout, replacements, others)

    def discard_replacements(self) -> None:
        """Remove hidden new versions that did not replace any version."""
        with self._removing():
            discard_replacements(self._database, self._layout)

    def made_from(self, ids: Sequence[DatasetId]) -> list[DatasetRecord]:
        """Return every version made from these, at any distance and scratch included, oldest first."""
        with self._database.read() as connection:
            found = set(forget.dependants_of(connection, ids))
            return [each for each in records.all_versions(connection) if each.id in found]

    def scratch_among(self, chosen: Sequence[DatasetRecord]) -> set[DatasetId]:
        """Return those of these versions that are scratch."""
        with self._database.read() as connection:
            return is_scratch(connection, [each.id for each in chosen])

    def sharing_sources(self, ids: Sequence[DatasetId]) -> list[tuple[str, list[str]]]:
        """Return which of these versions share a source file with versions that are not among them, as labels."""
        with self._database.read() as connection:
            return sources.sharing_sources(connection, ids)

    def has_own_source(self, id: DatasetId) -> bool:
        """Whether the workspace keeps a copy of a source file for this version."""
        with self._database.read() as connection:
            return sources.has_copy(connection, id)

    def kept_copies(self, id: DatasetId) -> list[tuple[str, Path]]:
        """Return the hash and the path of each copy of a source file that the workspace keeps for this version."""
        with self._database.read() as connection:
            return [(sha256, self._layout.root / path) for sha256, path in sources.kept_copies(connection, id)]

    def count_pending_sheets(self, names: set[str]) -> int:
        """Return how many pending sheets edit datasets of these names, in lower case."""
        return len(list(pending_sheets_of(self._layout, names)))

    def is_forgotten(self, id: DatasetId) -> bool:
        """Whether this version was removed for good."""
        with self._database.read() as connection:
            return forgotten_record(connection, id) is not None

    def has_files(self, id: DatasetId) -> bool:
        """Whether any file of this version is there."""
        places = (self._layout.dataset(id), self._layout.lineage(id), *self._derived.folders(id))
        return any(place.exists() for place in places)
