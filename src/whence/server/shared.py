"""The part of a workspace that a share link opens: the datasets of one notebook version, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from whence.model.errors import UnknownDataset, UnknownNotebook
from whence.server.guard import SHARED
from whence.workspace.served import SharedVersion

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


async def _shared(request: Request) -> SharedVersion | None:
    shared: SharedVersion | None = request.scope.get(SHARED)
    return shared


SharedOfRequest = Annotated[SharedVersion | None, Depends(_shared)]
"""The notebook version behind the share link of a request; None for the owner, who may see everything."""


class SharedWorkspace:
    """The workspace as a share link shows it."""

    is_engine_running = False
    seconds_starting: float | None = None

    def __init__(self, shared: SharedVersion, path: Path) -> None:
        self._shared = shared
        self.path = path

    def datasets(self) -> list[Dataset]:
        """Return the datasets that the cells of the version made; of a name that is made twice, the last one."""
        return list({dataset.name: dataset for dataset in self._shared.datasets}.values())

    def __getitem__(self, label: str) -> Dataset:
        """Return one of these datasets, by `name` or `name@version`."""
        known = {dataset.record.label: dataset for dataset in self._shared.datasets}
        known |= {dataset.name: dataset for dataset in self._shared.datasets}
        found = {name.lower(): dataset for name, dataset in known.items()}.get(label.strip().lower())
        if found is None:
            raise UnknownDataset(f"The link shows no dataset {label!r}.")
        return found


def notebook_of_link(shared: SharedVersion, name: str) -> SharedVersion:
    """Return the notebook of the link. Raise if the request names another."""
    if name.strip().lower() != shared.name.lower():
        raise UnknownNotebook(f"The link shows no notebook {name}.", f"It shows {shared.name}.")
    return shared
