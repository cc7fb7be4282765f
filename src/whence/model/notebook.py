"""The records of a notebook: its cells at a version, its history, and the runs of its cells."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NewType

from whence.model.ids import DatasetId
from whence.model.page import PageItem

NotebookId = NewType("NotebookId", str)
CellId = NewType("CellId", str)
"""The id of one cell of a notebook, the same in all versions and branches."""

CellHash = NewType("CellHash", str)
"""The hash of one cell version: of its kind and its values."""

CellRunId = NewType("CellRunId", str)

Json = dict[str, object]

RunState = Literal["running", "done", "failed", "cancelled", "interrupted", "lost", "superseded", "shared"]
"""`lost`: Spark ended during the run. `superseded`: the result is not needed any more. `shared`: the cell ran in an
interpreter with variables of other cells, so that its recorded reads do not determine its result."""


@dataclass(frozen=True)
class CellVersion:
    """The content of a cell: its kind and the values of its parameters."""

    kind: str
    values: Mapping[str, object]

    @property
    def hash(self) -> CellHash:
        """The hash of the content: equal for the same kind and values, in any order, in any notebook.

        >>> CellVersion("sql", {"a": 1, "b": 2}).hash == CellVersion("sql", {"b": 2, "a": 1}).hash
        True
        """
        text = json.dumps([self.kind, self.values], sort_keys=True, ensure_ascii=False)
        # A text may hold half a surrogate pair, which plain UTF-8 refuses.
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
    """One cell in the sequence of cells that makes up a notebook version."""

    cell: CellId
    hash: CellHash
    kept: CellRunId | Literal[""] | None = None
    """The run whose results a frozen cell keeps; empty if it never ran; None if the cell is not frozen."""
    items: tuple[PageItem, ...] = ()
    """What of the cell stands on the page of the notebook."""


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
    """Whether it holds the text of an edit that conflicted with another one. Such a version is on no branch."""


Mode = Literal["auto", "lazy", "session"]
"""`auto` runs cells that an edit made stale, `lazy` only marks them. In a `session`, Python cells share variables."""


@dataclass(frozen=True)
class NotebookRecord:
    """The record of a notebook: its name, the branch checked out, and its mode."""

    id: NotebookId
    name: str
    branch: str
    mode: Mode


@dataclass(frozen=True)
class Output:
    """A dataset that a run made, or a dataset of another cell that it gave a new name."""

    name: str
    dataset: DatasetId
    fingerprint: str


@dataclass(frozen=True)
class CellRun:
    """One run of one cell version: what it read, as fingerprints by name, and what it made."""

    id: CellRunId
    cell: CellId
    hash: CellHash
    state: RunState
    reads: Mapping[str, str | None]
    """The fingerprint of each name it read, with the name as it is compared; None for a name that did not exist."""
    outputs: tuple[Output, ...] = ()
    dropped: tuple[str, ...] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)
    functions: Mapping[str, Json] = field(default_factory=dict)
    error: Json | None = None
    seconds: float = 0.0


def new_notebook_id() -> NotebookId:
    """Return a random notebook id."""
    return NotebookId(secrets.token_hex(8))


def new_cell_run_id() -> CellRunId:
    """Return a random id of a cell run."""
    return CellRunId(secrets.token_hex(10))
