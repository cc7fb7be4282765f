"""All errors that whence raises: each has a sentence that says what is wrong, and a hint that says what to do."""

from __future__ import annotations


class WhenceError(Exception):
    """Root of all errors; `message` is one sentence, `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


class UserError(WhenceError):
    """A mistake that the user can fix."""


class NotSupported(WhenceError):
    """Something valid that whence does not support yet."""


class InternalError(WhenceError):
    """A bug in whence: one of its own guarantees does not hold."""


class NotRowByRow(UserError):
    """A Python function over batches for which no row was seen to come from one row; the query runs without ids."""


class PreviewStopped(UserError):
    """The preview of a cell that a newer one replaced, or that took too long."""


class UnknownDataset(UserError):
    """No dataset of that name or version."""


class UnknownColumn(UserError):
    """No column of that name."""


class UnknownRow(UserError):
    """A row id outside 0..n-1."""


class CheckFailed(UserError):
    """A dataset that fails a check of severity error."""


class NotRelated(UserError):
    """Neither dataset was made from the other."""


class BadInput(UserError):
    """A file or value that whence cannot read."""


class BadQuery(UserError):
    """A query that Spark refuses."""


class OutOfMemory(UserError):
    """A query that needs more memory than Spark has."""


class UnknownNotebook(UserError):
    """A notebook that is not there."""


class UnknownSheet(UserError):
    """A sheet that is not open."""


class UnknownChart(UserError):
    """A chart, or a set of linked charts, that is not open."""


class UnknownQuestion(UserError):
    """A question about odd values that is not open."""


class UnknownShare(UserError):
    """A share link that does not exist, has expired or was revoked."""


class EditConflict(UserError):
    """Someone else changed the same cell in the meantime. Both texts are kept."""

    def __init__(
        self, cell: str, mine: str | None, theirs: str | None, side_version: int, subject: str | None = None
    ) -> None:
        self.cell = cell
        self.mine = mine
        """What this edit says; None if it deletes or moves the cell."""
        self.theirs = theirs
        """What the cell says now; None if it was deleted."""
        self.side_version = side_version
        done = "deleted" if theirs is None else "changed"
        super().__init__(
            f"{subject or f'Cell {cell}'} was {done} by another user meanwhile.",
            f"Your edit is kept as version {side_version}; look at both and decide.",
        )


class WorkspaceInUse(UserError):
    """Another process holds the workspace's lock."""


class DamagedFile(WhenceError):
    """A stored file is not what was written."""


class JavaMissing(UserError):
    """No Java runtime that Spark can use."""


class EngineLost(WhenceError):
    """The Spark process is gone."""
