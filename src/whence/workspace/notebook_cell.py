"""`Cell`: the handle of one notebook cell, and `Outputs`: what its run made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, overload

from whence.model.notebook import CellId, CellRun, CellVersion
from whence.notebook.cell_error import CellError
from whence.notebook.control import Progress
from whence.notebook.display import Display, Rich, Stream
from whence.notebook.schedule.survey import CellState, Reason, Status
from whence.workspace.dataset import Dataset


class Holder(Protocol):
    """The part of a notebook that one of its cells needs."""

    def cell_version(self, cell: CellId) -> CellVersion:
        """Return the kind and values of a cell."""

    def state_of(self, cell: CellId) -> CellState:
        """Return the status of a cell, the reason for it, and its run."""

    def outputs_of(self, run: CellRun | None) -> Outputs:
        """Return the datasets and displays that a run made."""

    def displays_of(self, cell: CellId) -> tuple[Display, ...] | None:
        """Return what a running cell has shown so far; None if it does not run."""

    def progress_of(self, cell: CellId) -> Progress | None:
        """Return the progress of a running cell; None if it does not run."""


@dataclass(frozen=True)
class Outputs(Sequence[Dataset | Display]):
    """The outputs of a cell: its datasets, then what it printed and showed."""

    datasets: Mapping[str, Dataset]
    displays: tuple[Display, ...] = ()
    parameters: Mapping[str, object] | None = None

    @property
    def text(self) -> str:
        """The text that the cell printed."""
        return "".join(each.text for each in self.displays if isinstance(each, Stream))

    @property
    def rich(self) -> list[Rich]:
        """The rich displays of the cell, each with its forms by MIME type."""
        return [each for each in self.displays if isinstance(each, Rich)]

    @overload
    def __getitem__(self, index: int) -> Dataset | Display: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Dataset | Display]: ...
    def __getitem__(self, index: int | slice) -> Dataset | Display | Sequence[Dataset | Display]:
        return [*self.datasets.values(), *self.displays][index]

    def __len__(self) -> int:
        return len(self.datasets) + len(self.displays)

    def __iter__(self) -> Iterator[Dataset | Display]:
        yield from self.datasets.values()
        yield from self.displays


class Cell:
    """A cell, through all its versions. Its values and its status are those on the branch checked out."""

    def __init__(self, notebook: Holder, id: CellId) -> None:
        self._notebook = notebook
        self.id = id

    @property
    def kind(self) -> str:
        """Its kind, such as "sql" or "chart"."""
        return self._version.kind

    @property
    def values(self) -> dict[str, object]:
        """Its parameters, `source` and `name` included."""
        return dict(self._version.values)

    @property
    def source(self) -> str:
        """Its main text or path."""
        return str(self._version.values.get("source", ""))

    @property
    def name(self) -> str:
        """The name of the dataset that it makes."""
        return str(self._version.values.get("name", ""))

    @property
    def status(self) -> Status:
        """Its status: draft, waiting, running, ready, stale, error, cancelled or frozen."""
        return self._state.status

    @property
    def reason(self) -> Reason:
        """The reason for its status, or an empty text.

        One of: not filled in yet, edited, input changed, upstream error, interrupted, engine lost, would fail,
        stopping, "still ending, as other cells use Spark", "Spark was restarted to stop this query".
        """
        return self._state.reason

    @property
    def error(self) -> CellError | None:
        """The error of its last run on these inputs; None if that run did not fail."""
        run = self._state.run
        if run is None or run.error is None or run.state == "cancelled":  # then the reason says it
            return None
        return CellError.from_json(run.error)

    @property
    def outputs(self) -> Outputs:
        """What its run made.

        While it runs, what it has shown so far. If it was cancelled, the datasets of the run before stay.
        """
        shown = self._notebook.displays_of(self.id)
        return self._notebook.outputs_of(self._state.run) if shown is None else Outputs({}, shown)

    @property
    def progress(self) -> Progress | None:
        """Its progress while it runs; None otherwise."""
        return self._notebook.progress_of(self.id)

    @property
    def seconds(self) -> float | None:
        """The duration of the run that made its outputs; None before the first run and while it runs."""
        run = self._state.run
        return None if run is None or run.state == "running" else run.seconds

    @property
    def _version(self) -> CellVersion:
        return self._notebook.cell_version(self.id)

    @property
    def _state(self) -> CellState:
        return self._notebook.state_of(self.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and (self.id, self._notebook) == (other.id, other._notebook)

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        state = self._state
        return f"<cell {self.id} {self.kind}: {state.status}{f' ({state.reason})' if state.reason else ''}>"


def cell_id(cell: Cell | str) -> CellId:
    """Return the id of a cell that a user names by its handle or its id."""
    return cell.id if isinstance(cell, Cell) else CellId(cell)
