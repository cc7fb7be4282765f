"""`Share`: a link to one version of a notebook, as its owner makes and revokes it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from whence.model.errors import UserError
from whence.model.notebook import CellId, CellRunId, NotebookId
from whence.model.share import ShareRecord
from whence.notebook.schedule.survey import CellState
from whence.store.shares import add_share, digest_of, remove_share
from whence.store.store import Store

LONGEST = 3650
"""The most days that a link may last."""


class Share:
    """A link that opens one version of a notebook for reading, until it expires or is revoked."""

    def __init__(self, store: Store, record: ShareRecord, token: str | None = None) -> None:
        self._store = store
        self._record = record
        self.token = token
        """The secret of the link, known only to the call that makes it: the workspace stores only its hash."""

    @property
    def id(self) -> str:
        """The name of the link, with which it can be revoked; not secret."""
        return self._record.id

    @property
    def version(self) -> int:
        """The version it shows."""
        return self._record.version

    @property
    def created(self) -> str:
        """When it was made."""
        return self._record.created

    @property
    def expires(self) -> str | None:
        """When it expires; None if never."""
        return self._record.expires

    @property
    def path(self) -> str:
        """The path of the link, to append to the address of a server of this workspace."""
        if self.token is None:
            raise UserError("The link was shown when it was made and is not kept.", "Make a new one.")
        return f"/shared?token={self.token}"

    def revoke(self) -> None:
        """End the link: from now on it opens nothing."""
        with self._store.database.write("commit-notebook") as connection:
            remove_share(connection, self._record.notebook, self.id)

    def __repr__(self) -> str:
        return f"<link {self.id} to version {self.version}>"


def make_share(
    store: Store,
    notebook: NotebookId,
    version: int,
    states: Mapping[CellId, CellState],
    days: float | None,
) -> Share:
    """Make a link to a version. It keeps showing the results that the cells have now."""
    if days is not None and not 0 < days <= LONGEST:
        raise UserError(f"A link cannot last {days:g} days.", f"Give up to {LONGEST} days, or None for no end.")
    made = datetime.now(UTC)
    record = ShareRecord(
        id=secrets.token_hex(6),
        notebook=notebook,
        version=version,
        created=made.isoformat(timespec="milliseconds"),
        expires=None if days is None else (made + timedelta(days=days)).isoformat(timespec="milliseconds"),
        runs=_results(states),
    )
    token = secrets.token_urlsafe(32)
    with store.database.write("commit-notebook") as connection:
        add_share(connection, record, digest_of(token.encode()))
    return Share(store, record, token)


def _results(states: Mapping[CellId, CellState]) -> dict[CellId, CellRunId]:
    """Return the run of each cell that has results to share."""
    # A stale or running cell shows no result: what it would show is not the result of this version.
    settled = ("ready", "frozen", "error")
    return {cell: state.run.id for cell, state in states.items() if state.run is not None and state.status in settled}
