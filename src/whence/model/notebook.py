"""What the workspace knows of a notebook: its cells at a version, its history, and what its cells' runs gave."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NewType

from whence.model.ids import DatasetId

NotebookId = NewType("NotebookId", str)
CellId = NewType("CellId", str)
"""Names one cell of a notebook through all its versions and branches."""

CellHash = NewType("CellHash", str)
"""Names one cell version: what kind it is and what its parameters say."""

CellRunId = NewType("CellRunId", str)

Json = dict[str, object]

RunState = Literal["running", "done", "failed", "cancelled", "interrupted", "lost", "superseded", "shared"]
"""`lost`: Spark went away meanwhile; `superseded`: nobody wants the result any more; `shared`: in an interpreter in
which other cells ran before, so that what it read does not say what it gives."""


@dataclass(frozen=True)
class CellVersion:
    """What a cell says."""

    kind: str
    values: Mapping[str, object]

    @property
    def hash(self) -> CellHash:
        """The same for the same kind and values, in any order, in any notebook.

        >>> CellVersion("sql", {"a": 1, "b": 2}).hash == CellVersion("sql", {"b": 2, "a": 1}).hash
        True
        """
        text = json.dumps([self.kind, self.values], sort_keys=True, ensure_ascii=False)
        return CellHash(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40])

    @property
    def is_draft(self) -> bool:
        """Whether the cell is still empty. No kind can run without any value, so a draft waits to be filled in.

        >>> CellVersion("sql", {}).is_draft, CellVersion("sql", {"source": "select 1"}).is_draft
        (True, False)
        """
        return all(value in (None, "", [], {}) for value in self.values.values())


@dataclass(frozen=True)
class Entry:
    """A cell in the sequence that a notebook version is."""

    cell: CellId
    hash: CellHash
    kept: CellRunId | Literal[""] | None = None
    """A frozen cell keeps what this run gave; empty if it had run never; None if it is not frozen."""


@dataclass(frozen=True)
class VersionRecord:
    """One version of a notebook."""

    version: int
    parent: int | None
    branch: str
    action: str
    cell: str | None
    author: str
    time: str
    is_side: bool = False
    """It holds the text of an edit that lost against another; no branch leads over it."""


Mode = Literal["auto", "lazy", "session"]
"""`auto` runs what an edit made stale, `lazy` only marks it; in a `session` Python cells share one interpreter."""


@dataclass(frozen=True)
class NotebookRecord:
    """A notebook, the branch that is checked out, and how it runs."""

    id: NotebookId
    name: str
    branch: str
    mode: Mode


@dataclass(frozen=True)
class Output:
    """A dataset a run made, or a dataset of another cell under a new name."""

    name: str
    dataset: DatasetId
    fingerprint: str


@dataclass(frozen=True)
class CellRun:
    """One run of one cell version: what it read, as fingerprints by name, and what it gave."""

    id: CellRunId
    cell: CellId
    hash: CellHash
    state: RunState
    reads: Mapping[str, str | None]
    """By name as compared; None for a name that was not there."""
    outputs: tuple[Output, ...] = ()
    dropped: tuple[str, ...] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)
    functions: Mapping[str, Json] = field(default_factory=dict)
    error: Json | None = None
    seconds: float = 0.0


def new_notebook_id() -> NotebookId:
    """A fresh random id."""
    return NotebookId(secrets.token_hex(8))


def new_cell_run_id() -> CellRunId:
    """A fresh random id."""
    return CellRunId(secrets.token_hex(10))
