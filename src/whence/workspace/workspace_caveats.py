"""`ws.caveats`: the caveats of a whole workspace, each group once, with all datasets it reaches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whence.caveats.merge_groups import ReachingGroup, group_id, merge_groups
from whence.model.caveat import CaveatGroup
from whence.model.errors import UserError
from whence.model.plural import counted
from whence.workspace.dataset import Dataset


class WorkspaceCaveats:
    """The caveats behind the current version of every dataset."""

    def __init__(self, name: str, datasets: Callable[[], Sequence[Dataset]]) -> None:
        self._name = name
        self._datasets = datasets

    def list(self) -> list[CaveatGroup]:
        """Return every group of caveats once, however many datasets it reaches.

        >>> _ = ws.create("ages", [(36,), (400,)], schema="age int", cell_caveats=[(1, "age", "nobody is that old")])
        >>> _ = ws.sql("select max(age) oldest from ages", name="oldest")
        >>> [(group.message, [each.name for each in ws.caveats.reach(group)]) for group in ws.caveats.list()]
        [('nobody is that old', ['ages', 'oldest'])]
        """
        return [group for group, _ in self._groups().values()]

    def reach(self, group: CaveatGroup) -> Sequence[Dataset]:
        """Return the current datasets in which the caveats of a group may have changed something."""
        return self._find(group)[1]

    @property
    def open(self) -> int:
        """The number of caveats that are not acknowledged. One that reaches several datasets counts once."""
        return sum(group.count for group in self.list() if not group.acknowledged)

    def acknowledge(self, group: CaveatGroup, note: str = "") -> None:
        """Accept the caveats of a group: they stay listed and flag nothing any more, in every dataset they reach."""
        self._find(group)[1][0].caveats.acknowledge(group, note)

    def revoke(self, group: CaveatGroup) -> None:
        """Undo `acknowledge`: the caveats flag cells and rows again."""
        self._find(group)[1][0].caveats.revoke(group)

    def _groups(self) -> dict[str, ReachingGroup[Dataset]]:
        datasets = self._datasets()
        return merge_groups((dataset, dataset.caveats.list()) for dataset in datasets)

    def _find(self, group: CaveatGroup) -> ReachingGroup[Dataset]:
        found = self._groups().get(group_id(group))
        if found is None:
            raise UserError("No current dataset has this group of caveats.", "Take one of ws.caveats.list().")
        return found

    def __repr__(self) -> str:
        return f"<Caveats of {self._name}: {self.open:,} open in {counted(len(self.list()), 'group')}>"
