"""Every error a user can meet: one sentence that says what is wrong, and a hint that says what to do."""

from __future__ import annotations


class WhenceError(Exception):
    """Root of all errors; `message` is one sentence, `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


class UserError(WhenceError):
    """The user can put it right."""


class NotSupported(WhenceError):
    """Valid, but whence has no rule for it yet."""


class InternalError(WhenceError):
    """We are wrong: a promise of our own does not hold."""


class UnknownDataset(UserError):
    """No dataset of that name or version."""


class UnknownColumn(UserError):
    """No column of that name."""


class UnknownRow(UserError):
    """A row id outside 0..n-1."""


class NotRelated(UserError):
    """Neither dataset was made from the other."""


class BadInput(UserError):
    """A file or value that cannot be taken in."""


class BadQuery(UserError):
    """A query that Spark refuses."""


class UnknownNotebook(UserError):
    """A notebook that is not there."""


class UnknownSheet(UserError):
    """A sheet that is not open."""


class UnknownChart(UserError):
    """A chart, or a set of linked charts, that is not open."""


class UnknownQuestion(UserError):
    """A question about odd values that is not open."""


class UnknownShare(UserError):
    """A link to a notebook version that is not there, or no longer."""


class EditConflict(UserError):
    """Somebody else changed the same cell meanwhile; neither text is lost."""

    def __init__(self, cell: str, mine: str | None, theirs: str | None, side_version: int) -> None:
        self.cell = cell
        self.mine = mine
        """What this edit says; None if it deletes or moves the cell."""
        self.theirs = theirs
        """What the cell says now; None if it was deleted."""
        self.side_version = side_version
        done = "deleted" if theirs is None else "changed"
        super().__init__(
            f"Cell {cell} was {done} by somebody else meanwhile.",
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
