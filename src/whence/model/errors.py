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


class WorkspaceInUse(UserError):
    """Another process holds the workspace's lock."""


class DamagedFile(WhenceError):
    """A stored file is not what was written."""


class JavaMissing(UserError):
    """No Java runtime that Spark can use."""


class EngineLost(WhenceError):
    """The Spark process is gone."""
