"""Surveys the notebook from top to bottom: finds which cells a recorded run settles, and which cells must run.

It follows Vizier's Algorithms 1 and 2, with three differences. A run is matched by fingerprints of what it read, so it
settles its cell on any version or branch, even after its inputs were computed again with the same content. Footprints
are mostly known before cells run, so independent cells do not wait for each other. And an error stops only the cells
that read what was not made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import cast

from whence.model.cell_status import Reason as Reason
from whence.model.cell_status import Status as Status
from whence.model.ids import DatasetId
from whence.model.notebook import CellHash, CellId, CellRun, CellRunId, Entry
from whence.notebook.footprint import Footprint
from whence.notebook.schedule.board import EVERYTHING, FILE, MARKS, Artifact, Board, Pending

BY_RESTART: Reason = "Spark was restarted to stop this query"
RESTARTED = "SparkRestarted"
"""The error kind of a cancelled run that ended only when Spark's Java process was restarted."""


@dataclass(frozen=True)
class CellState:
    """The status of a cell and the reason for it."""

    status: Status
    reason: Reason = ""
    run: CellRun | None = None
    """The run behind the status: the one that settles the cell, runs now, or failed on the same inputs."""
    blockers: frozenset[CellId] = frozenset()
    """Cells above that must be settled before this one can run."""
    is_needed: bool = False
    """The cell must run to become ready."""


DRAFT = CellState("draft", "not filled in yet")
"""The state of an empty cell: it never runs, and no other cell waits for it."""


@dataclass(frozen=True)
class Launch:
    """A cell that can run now, with the fingerprints of what it is expected to read and all that it sees."""

    entry: Entry
    reads: Mapping[str, str | None]
    scope: Mapping[str, Artifact]


@dataclass(frozen=True)
class RunIndex:
    """Everything a survey looks up: recorded and active runs, footprints, requests and file marks.

    `runs` returns the runs of a cell version, newest first.
    """

    runs: Callable[[CellHash], Sequence[CellRun]]
    predict: Callable[[Entry], Footprint]
    mark: Callable[[str], str | None]
    """Return the mark of a file, which changes when the file does; None if there is no such file."""
    kept: Mapping[CellRunId, CellRun] = field(default_factory=dict)
    active: Mapping[CellId, CellRun] = field(default_factory=dict)
    wanted: Set[CellId] = frozenset()
    """Cells that a request or an edit wants to be ready."""
    asked: Set[CellId] = frozenset()
    """Cells among them that a user requested by id: these run even if they failed on the same inputs."""
    forced: Set[CellId] = frozenset()
    """Cells that run even if they are ready."""
    shared: Callable[[Entry], CellState | None] = lambda _: None
    """Return the state of a cell that a session runs, which the survey does not schedule; None for all others."""
    acknowledged: Callable[[DatasetId | None], str] = lambda _: ""
    """Return a fingerprint of the acknowledged caveats that may reach a dataset; of all of them for None."""
    is_draft: Callable[[Entry], bool] = lambda _: False
    """Whether a cell is still empty."""
    stopping: Mapping[CellId, Reason] = field(default_factory=dict)
    """Why cells that were told to stop still run, by cell."""


@dataclass
class Survey:
    """The result of one survey."""

    states: dict[CellId, CellState]
    launches: list[Launch]
    obsolete: list[CellId]
    """Cells that were deleted, or whose text or inputs changed, while they ran: their runs are to stop."""
    board: Board
    """What names mean after the last cell."""


def survey(cells: Sequence[Entry], below: Mapping[str, Artifact], known: RunIndex) -> Survey:
    """Find the state of every cell, the cells that can start now, and the runs that are obsolete."""
    found = Survey({}, [], [], Board(below))
    starting = {_key(run.hash, run.reads) for run in known.active.values()}
    for entry in cells:
        state, is_shared = _state(entry, found, known), known.shared(entry) is not None
        if state.status == "waiting" and not state.blockers and not is_shared:
            launch = Launch(entry, expected_reads(known.predict(entry), found.board, known), {})
            # Of two cells with the same text and inputs only one runs: its run settles the other as well.
            if _key(entry.hash, launch.reads) not in starting:
                starting.add(_key(entry.hash, launch.reads))
                found.launches.append(Launch(entry, launch.reads, found.board.artifacts()))
        found.states[entry.cell] = state
        # What a session cell made last stays visible whatever its status, and no cell waits for its next run.
        if state.run is not None and (is_shared or state.status in ("ready", "frozen")):
            found.board.put(state.run)
        elif state.status != "frozen" and not is_shared:
            found.board.leave_open(entry.cell, _writes(entry, known))
    there = {entry.cell for entry in cells}
    found.obsolete += [cell for cell in known.active if cell not in there]
    return found


def expected_reads(footprint: Footprint, board: Board, known: RunIndex) -> dict[str, str | None]:
    """Return the fingerprint of everything a cell is expected to read, by key; None for a name that is not there."""
    found = {FILE + path: known.mark(path) for path in sorted(footprint.files)}
    if footprint.reads is None:
        marks = {MARKS: known.acknowledged(None)} if footprint.reads_marks else {}
        return {**found, **marks, EVERYTHING: board.everything()}
    for name in sorted(footprint.reads):
        seen = board.look(name.lower())
        found[name.lower()] = seen.fingerprint if isinstance(seen, Artifact) else None
        if footprint.reads_marks and isinstance(seen, Artifact):
            found |= marks_of(seen, known.acknowledged)
    return found


def marks_of(seen: Artifact, acknowledged: Callable[[DatasetId | None], str]) -> dict[str, str | None]:
    """Return what a cell that looks at doubt flags reads besides the dataset: its acknowledged caveats."""
    if seen.kind != "dataset":
        return {}
    return {MARKS + seen.name.lower(): acknowledged(cast(DatasetId, seen.value))}


def _state(entry: Entry, found: Survey, known: RunIndex) -> CellState:
    if entry.kept is not None:
        return CellState("frozen", run=known.kept.get(entry.kept) if entry.kept else None)
    if known.is_draft(entry):
        return DRAFT
    shared = known.shared(entry)
    if shared is not None:
        return shared
    active = known.active.get(entry.cell)
    if active is not None:
        # None means that a cell above has yet to run. It may give what it gave before, so the run goes on.
        if active.hash == entry.hash and _agrees(active, found.board, known) is not False:
            return CellState("running", known.stopping.get(entry.cell, ""), run=active, is_needed=True)
        found.obsolete.append(entry.cell)
    # A superseded run may have been stopped half way, and a shared one depends on variables: neither settles a cell.
    runs = [run for run in known.runs(entry.hash) if run.state not in ("running", "superseded", "shared")]
    if entry.cell not in known.forced:
        settled = _state_from_runs(entry, runs, found.board, known)
        if settled is not None:
            return settled
    return _to_run(entry, runs, found, known, is_under_way=active is not None)


def _state_from_runs(entry: Entry, runs: Sequence[CellRun], board: Board, known: RunIndex) -> CellState | None:
    """Return the state that a recorded run on the same inputs gives the cell; None if it must run."""
    same = [run for run in runs if _agrees(run, board, known)]
    done = next((run for run in same if run.state == "done"), None)
    if done is not None:
        return CellState("ready", run=done)
    # A failed run would fail again: only a request for this very cell repeats it. A run that was cancelled, lost or
    # interrupted is repeated whenever the cell is wanted.
    if not same or entry.cell in known.asked or (entry.cell in known.wanted and same[0].state != "failed"):
        return None
    match same[0].state:
        case "failed":
            return CellState("error", run=same[0])
        case "cancelled":
            return CellState("cancelled", _why_cancelled(same[0]), run=same[0], is_needed=True)
        case "lost":
            return CellState("stale", "engine lost", run=same[0], is_needed=True)
        case _:
            return CellState("stale", "interrupted", run=same[0], is_needed=True)


def _why_cancelled(run: CellRun) -> Reason:
    return BY_RESTART if run.error is not None and run.error.get("kind") == RESTARTED else ""


def _to_run(entry: Entry, runs: Sequence[CellRun], found: Survey, known: RunIndex, *, is_under_way: bool) -> CellState:
    footprint = known.predict(entry)
    blockers = _blockers(footprint, found.board)
    states = [found.states[cell] for cell in blockers]
    is_wanted = entry.cell in known.wanted or entry.cell in known.forced
    if is_wanted and all(state.status in ("waiting", "running") for state in states):
        # A run that is being stopped ends first: two runs of one cell never overlap.
        return CellState("waiting", blockers=blockers | {entry.cell} if is_under_way else blockers, is_needed=True)
    return CellState("stale", _reason(footprint, runs, states, found.board), blockers=blockers, is_needed=True)


def _reason(footprint: Footprint, runs: Sequence[CellRun], blockers: Sequence[CellState], board: Board) -> Reason:
    if any(state.status == "error" or state.reason == "upstream error" for state in blockers):
        return "upstream error"
    if footprint.is_exact and any(board.look(name.lower()) is None for name in footprint.reads or ()):
        return "would fail"
    return "input changed" if any(run.state in ("done", "failed") for run in runs) else "edited"


def _blockers(footprint: Footprint, board: Board) -> frozenset[CellId]:
    if footprint.reads is None:
        return frozenset(board.pending())
    seen = (board.look(name.lower()) for name in footprint.reads)
    return frozenset(each.by for each in seen if isinstance(each, Pending))


def _writes(entry: Entry, known: RunIndex) -> frozenset[str] | None:
    """Return what the cell may write; if its footprint is open, what this text wrote last, or None if it never ran."""
    writes = known.predict(entry).writes
    if writes is not None:
        return writes
    done = next((run for run in known.runs(entry.hash) if run.state == "done"), None)
    return (
        None
        if done is None
        else frozenset([*(output.name for output in done.outputs), *done.dropped, *done.parameters, *done.functions])
    )


def _agrees(run: CellRun, board: Board, known: RunIndex) -> bool | None:
    """Whether everything the run read is unchanged at this place; None if a cell that has yet to run decides that."""
    is_open = False
    for key, fingerprint in run.reads.items():
        now = _fingerprint_now(key, board, known)
        if isinstance(now, Pending):
            is_open = True
        elif now != fingerprint:
            return False
    return None if is_open else True


def _fingerprint_now(key: str, board: Board, known: RunIndex) -> str | Pending | None:
    """Return the present fingerprint of something a run read, or the cell above that has yet to make it."""
    if key.startswith(FILE):
        return known.mark(key[len(FILE) :])
    if key == EVERYTHING:
        waits_for = next(board.pending(), None)
        return board.everything() if waits_for is None else Pending(waits_for)
    if key == MARKS:
        return known.acknowledged(None)
    seen = board.look(key.removeprefix(MARKS))
    if seen is None or isinstance(seen, Pending):
        return seen
    return marks_of(seen, known.acknowledged).get(key) if key.startswith(MARKS) else seen.fingerprint


def _key(hash: CellHash, reads: Mapping[str, str | None]) -> tuple[CellHash, frozenset[tuple[str, str | None]]]:
    return hash, frozenset(reads.items())
