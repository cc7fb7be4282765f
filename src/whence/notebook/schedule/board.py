"""What stands at one place of the notebook: names with fingerprints, and names that a cell above has yet to make."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from whence.model.notebook import CellId, CellRun

FILE = "\0file:"
MARKS = "\0marks:"
"""Before the name of a dataset whose marks a cell looks at."""
EVERYTHING = "\0everything"
"""Read by a cell that may look at any name."""


@dataclass(frozen=True)
class Artifact:
    """Something cells talk through."""

    name: str
    kind: Literal["dataset", "parameter", "function"]
    fingerprint: str
    value: object
    """The id of the dataset, the value of the parameter, or the function as JSON."""


@dataclass(frozen=True)
class Pending:
    """A name that may change once this cell has run."""

    by: CellId


class Board:
    """Names as compared, from top to bottom."""

    def __init__(self, below: Mapping[str, Artifact]) -> None:
        self._below = below
        self._known: dict[str, Artifact | Pending | None] = {}
        self._wild: CellId | None = None

    def look(self, key: str) -> Artifact | Pending | None:
        """What the name stands for here; None if for nothing."""
        if key in self._known:
            return self._known[key]
        return Pending(self._wild) if self._wild is not None else self._below.get(key)

    def put(self, run: CellRun) -> None:
        """What a run gave is there from now on."""
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
        """These names, or all, are not settled before the cell has run."""
        if names is None:
            self._known.clear()
            self._wild = cell
            return
        for name in names:
            self._known[name.lower()] = Pending(cell)

    def pending(self) -> Iterator[CellId]:
        """Every cell that something waits for."""
        if self._wild is not None:
            yield self._wild
        yield from (seen.by for seen in self._known.values() if isinstance(seen, Pending))

    def artifacts(self) -> dict[str, Artifact]:
        """All that is settled."""
        found = {} if self._wild is not None else dict(self._below)
        for key, seen in self._known.items():
            if isinstance(seen, Artifact):
                found[key] = seen
            else:
                found.pop(key, None)
        return found

    def everything(self) -> str:
        """A fingerprint of all that is settled."""
        return fingerprint_of({key: seen.fingerprint for key, seen in self.artifacts().items()})


def fingerprint_of(value: object) -> str:
    """The same for equal values that can stand in JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:32]
