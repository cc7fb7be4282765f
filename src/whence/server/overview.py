"""Lists the caveats of a workspace, or those new since a version: each group once, with the datasets it reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from whence.caveats.merge_groups import ReachingGroup, group_id, merge_groups
from whence.model.caveat import CaveatGroup
from whence.model.errors import BadInput
from whence.server.notebooks import Notebooks
from whence.workspace.served import ServedWorkspace

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

MOST_KEPT = 2000


class Overview:
    """Merges the caveat groups of several datasets.

    `since` names an earlier version, as `dataset:prices@1` or `notebook:tour@12`.
    """

    def __init__(self, workspace: ServedWorkspace, notebooks: Notebooks) -> None:
        self._workspace = workspace
        self._notebooks = notebooks

    def looked_at(self, since: str | None) -> list[Dataset]:
        """Return every current dataset; with `since`, that dataset, or the final datasets of that notebook."""
        if since is None:
            return self._workspace.datasets()
        kind, name, _ = _parsed(since)
        return [self._workspace[name]] if kind == "dataset" else list(self._notebooks.find(name).results().values())

    def find(self, since: str | None, datasets: Sequence[Dataset] | None = None) -> dict[str, ReachingGroup[Dataset]]:
        """Return the caveat groups behind these datasets by their ids, in order of appearance."""
        looked = self.looked_at(since) if datasets is None else datasets
        return merge_groups(zip(looked, self._groups(since, looked), strict=True))

    def _groups(self, since: str | None, datasets: Sequence[Dataset]) -> Iterable[list[CaveatGroup]]:
        if since is None:
            return (dataset.caveats.list() for dataset in datasets)
        earlier = [each.record for each in self._earlier(since)]
        return datasets[0].context.news.since([each.record for each in datasets], earlier) if datasets else []

    def _earlier(self, since: str) -> list[Dataset]:
        kind, name, version = _parsed(since)
        if kind == "dataset":
            return [self._workspace[f"{name}@{version}"]]
        return list(self._notebooks.find(name).results(version).values())


class CaveatCounts:
    """Counts the open caveats of a workspace, with a cache for each dataset version, as versions never change."""

    def __init__(self) -> None:
        self._known: dict[object, list[tuple[str, int]]] = {}

    def open(self, datasets: Iterable[Dataset]) -> int:
        """Count the caveats that are not acknowledged. One that reaches several datasets counts once."""
        most: dict[str, int] = {}
        for dataset in datasets:
            for id, count in self._of(dataset):
                most[id] = max(count, most.get(id, 0))
        return sum(most.values())

    def _of(self, dataset: Dataset) -> list[tuple[str, int]]:
        """Return the open caveat groups of a dataset version with their counts, from the cache if possible."""
        store = dataset.context.store
        # The counters of acknowledgements and removals are part of the key: either may change the count of a version.
        key = (dataset.record.id, store.acknowledged.epoch, store.forgets)
        if key not in self._known:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            self._known[key] = [
                (group_id(group), group.count) for group in dataset.caveats.list() if not group.acknowledged
            ]
        return self._known[key]


def _parsed(since: str) -> tuple[str, str, int]:
    kind, _, label = since.partition(":")
    name, _, version = label.rpartition("@")
    if kind not in ("dataset", "notebook") or not name or not version.isdecimal() or len(version) > 9:
        raise BadInput(f"{since} names no version.", "For example: dataset:prices@1 or notebook:tour@12.")
    return kind, name, int(version)
