"""What names mean at one place of the notebook: artifacts with fingerprints, or the cell above that has yet to run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from whence.model.notebook import CellId, CellRun

# Reads that are not names start with NUL, so that they never equal the name of a dataset, parameter or function.
FILE = "\0file:"
"""Before the path of a file that a cell reads."""
MARKS = "\0marks:"
"""Before the name of a dataset whose doubt flags a cell reads; alone, the flags of any dataset."""
EVERYTHING = "\0everything"
"""What a cell reads that may look at any name."""


@dataclass(frozen=True)
class Artifact:
    """A dataset, parameter or function that a cell made or that lies outside the notebook."""

    name: str
    kind: Literal["dataset", "parameter", "function"]
    fingerprint: str
    value: object
    """The id of the dataset, the value of the parameter, or the function as JSON."""


@dataclass(frozen=True)
class Pending:
    """A name whose meaning is open until this cell has run."""

    by: CellId


class Board:
    """The meaning of lower-case names, which a survey updates cell by cell from top to bottom."""

    def __init__(self, below: Mapping[str, Artifact]) -> None:
        self._below = below
        self._known: dict[str, Artifact | Pending | None] = {}
        self._wild: CellId | None = None

    def look(self, key: str) -> Artifact | Pending | None:
        """Return what the name stands for here; None if for nothing."""
        if key in self._known:
            return self._known[key]
        return Pending(self._wild) if self._wild is not None else self._below.get(key)

    def put(self, run: CellRun) -> None:
        """Let cells below see what a run gave, and not what it dropped."""
        for name in run.dropped:
            self._known[name.lower()] = None
        for output in run.outputs:
            made = Artifact(output.name, "dataset", output.fingerprint, output.dataset)
            self._known[output.name.lower()] = made
        for name, value in run.parameters.items():
            self._known[name.lower()] = Artifact(name, "parameter", fingerprint_of(value), value)
        for name, function in run.functions.items():
            self._known[name.lower()] = Artifact(name, "function", fingerprint_of(function), function)

    def leave_open(self, cell: CellId, names: frozenset[str] | None) -> None:
        """Leave the meaning of these names, or of all for None, open until the cell has run."""
        if names is None:
            # The cell may overwrite any name, so nothing that cells above it made is settled any more.
            self._known.clear()
            self._wild = cell
            return
        for name in names:
            self._known[name.lower()] = Pending(cell)

    def pending(self) -> Iterator[CellId]:
        """Yield the cells that leave names open."""
        if self._wild is not None:
            yield self._wild
        yield from (seen.by for seen in self._known.values() if isinstance(seen, Pending))

    def artifacts(self) -> dict[str, Artifact]:
        """Return the artifacts whose meaning is settled, by name."""
        found = {} if self._wild is not None else dict(self._below)
        for key, seen in self._known.items():
            if isinstance(seen, Artifact):
                found[key] = seen
            else:
                found.pop(key, None)
        return found

    def everything(self) -> str:
        """Return one fingerprint of all settled artifacts."""
        return fingerprint_of({key: seen.fingerprint for key, seen in self.artifacts().items()})


def fingerprint_of(value: object) -> str:
    """Return a hash that is the same for equal JSON values."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:32]
