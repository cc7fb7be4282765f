"""Follows runs of cells: turns the reports of probes into updates of the lineage, statement by statement."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import CodeType, FrameType

from whence.staleness.checker import Checker
from whence.staleness.collector import collect
from whence.staleness.effects import Effects
from whence.staleness.fingerprints import fingerprint
from whence.staleness.functions import FunctionInfo, info_of_code, info_of_value
from whence.staleness.history import PastRun
from whence.staleness.lineage import Lineage, Parents
from whence.staleness.objects import ABSENT, follow
from whence.staleness.paths import Path
from whence.staleness.probes import Probe
from whence.staleness.sites import Arm, Segment, Site, Statement, Step
from whence.staleness.symbols import Symbol
from whence.staleness.updates import Record, Updater

_MAX_WATCHED = 32  # objects to fingerprint for one statement, so that its cost stays bounded


class Tracer:
    """Receives the reports of all probes of a notebook, and passes them to the current run, if there is one."""

    def __init__(self, lineage: Lineage, values: Mapping[str, object]) -> None:
        self.lineage = lineage
        self.values = values
        self.checker = Checker(lineage, values)
        self.run: Run | None = None
        self._fired: list[Probe[Site]] = []

    def probe(self, site: Site) -> Probe[Site]:
        """Return a new probe that reports to this tracer."""
        return Probe(site, self.report)

    def report(self, probe: Probe[Site], frame: FrameType) -> None:
        """Pass a report on to the current run. The user's code calls this, so no error may escape from it."""
        self._fired.append(probe)
        if self.run is None:
            return
        try:
            self.run.reached(probe.site, frame)
        except Exception as error:  # noqa: BLE001, RUF100  # the user's program goes on whatever we did wrong
            self.run.problems.append(error)

    def arm(self) -> None:
        """Let every probe report again: each top-level statement is traced on its own."""
        for probe in self._fired:
            probe.on = True
        self._fired.clear()

    def begin(self, cell: str, steps: list[Step], past: PastRun) -> Run:
        """Start to follow a run of a cell. It records what its statements read in `past`."""
        self.arm()
        self.run = run = Run(self, steps, past)
        try:
            self.lineage.synchronise(self.values, visible_names(self.values, self.lineage))
        except Exception as fault:  # noqa: BLE001, RUF100  # the user's program goes on whatever we did wrong
            run.problems.append(fault)
        self.lineage.start(cell)
        run.start()
        return run


class Run:
    """One run of one cell. It is planted into the cell's code, which calls `step` between top-level statements."""

    def __init__(self, tracer: Tracer, steps: list[Step], past: PastRun) -> None:
        self.tracer = tracer
        self.past = past
        self.lineage = tracer.lineage
        self.values = tracer.values
        self.steps = steps
        self.observed: set[tuple[Path, bool]] = set()  # what functions read of the state at the start
        self.problems: list[Exception] = []
        self._updater = Updater(self.lineage, self.values)
        self._current = 0
        self._records: dict[Statement, Record] = {}
        self._done: set[Segment] = set()
        self._function_reads: dict[FunctionInfo, Parents] = {}
        self._before: list[tuple[Path, int, Hashable]] = []

    def start(self) -> None:
        """Prepare for the first top-level statement."""
        try:
            self.enter(0)
        except Exception as error:  # noqa: BLE001, RUF100  # the user's program goes on whatever we did wrong
            self.problems.append(error)

    def step(self, number: int) -> None:
        """Finish the statement before this top-level statement, and prepare for this one."""
        try:
            self._finish_step()
            self.enter(number)
        except Exception as error:  # noqa: BLE001, RUF100  # the user's program goes on whatever we did wrong
            self.problems.append(error)

    def enter(self, number: int) -> None:
        """Prepare for a top-level statement: arm the probes, and fingerprint the objects it passes to libraries."""
        self._current = self.lineage.statement = number
        self.tracer.arm()
        self._records, self._done, self._function_reads = {}, set(), {}
        if number < len(self.steps):
            step = self.steps[number]
            self.past.read(number, self._state_before(step.reads))
            if step.catches or self.tracer.checker.may_catch(step.flow):
                self._read_as_written(step)
        self._before = [(path, id(value), fingerprint(value)) for path, value in self._watched()]

    def _read_as_written(self, step: Step) -> None:
        """Record all reads in the text of called functions, as no probe reports those of one that an exception ends."""
        self.past.read(self._current, self._state_before(self.tracer.checker.reads(step.flow)))

    def _state_before(self, reads: Iterable[tuple[Path, bool]]) -> Iterator[Symbol]:
        """Yield the symbols that a statement may read, as they are before it runs; deleted ones, too.

        The version of a deleted symbol names the statement that deleted it.
        """
        for path, whole in reads:
            found = self.lineage.resolve(path, self.values)
            if found is not None:
                symbol, only_container = found
                yield from self.lineage.with_parts(symbol) if whole or only_container else (symbol,)
            elif path.name in self.lineage.names:
                yield self.lineage.names[path.name]

    def finish(self, error: BaseException | None) -> None:
        """End the run. After an error, the lineage covers the statements that did run."""
        try:
            if self._current < len(self.steps):
                self._leave_step(error)
            self.lineage.synchronise(self.values, visible_names(self.values, self.lineage))
            collect(self.lineage, self.values)
        except Exception as fault:  # noqa: BLE001, RUF100  # the user's program goes on whatever we did wrong
            self.problems.append(fault)
        self.tracer.run = None
        self.tracer.arm()

    def _leave_step(self, error: BaseException | None) -> None:
        if error is None:
            self._finish_step()
        else:
            self.past.failed = self._current
            self._read_as_written(self.steps[self._current])
            self._fail_step(self._failed_line(error))

    def reached(self, site: Site, frame: FrameType) -> None:
        """Update the lineage for the statements that have run when a probe reports."""
        if frame.f_globals is not self.values:
            return  # a function that was given another namespace
        match site:
            case Arm():
                self._reached_arm(site, frame)
            case Segment(in_function=True):
                self._reached_function(site, frame)
            case Segment():
                self._done.add(site)
                for statement in site.statements:
                    self._apply(statement)

    def _reached_arm(self, arm: Arm, frame: FrameType) -> None:
        uses = [use for use in arm.statement.effects.uses if use.arm == arm.number]
        record = self._record(arm.statement)
        record.arms.add(arm.number)
        if arm.in_function:
            self._read_in_function(Statement(Effects(uses=uses), 0, 0), frame)
        elif record.applied:
            record.add(self._updater.parents(uses, record))

    def _reached_function(self, segment: Segment, frame: FrameType) -> None:
        for statement in segment.statements:
            caller = self._read_in_function(statement, frame)
            if statement.effects.changes_symbols:
                passed = [use for use in caller.statement.effects.uses if use.in_call]
                inherited = {**self._updater.parents(passed, caller), **caller.read}
                inner: ChainMap[str, object] = ChainMap(frame.f_locals, frame.f_globals)
                self._updater.apply(self._record(statement), statement, inner, inherited)

    def _read_in_function(self, statement: Statement, frame: FrameType) -> Record:
        """Add what a function reads to the cell's statement that called it, and return that statement's record."""
        caller, functions = self._callers(frame)
        own = self._record(statement)
        uses = [use for use in statement.effects.uses if own.runs(use)]
        parents = self._updater.parents(uses, own)
        for symbol, whole in parents.items():
            self.past.read(self._current, self.lineage.with_parts(symbol) if whole else (symbol,))
        fresh = {symbol for symbol in parents if symbol.bound == self.lineage.clock}
        self.observed |= {(use.path, use.whole) for use in uses if self._symbol(use.path) not in fresh}
        caller.add(parents)
        for info in functions:
            self._function_reads.setdefault(info, {}).update(parents)
        return caller

    def _symbol(self, path: Path) -> object:
        found = self.lineage.resolve(path, self.values)
        return found[0] if found is not None else None

    def _callers(self, frame: FrameType) -> tuple[Record, list[FunctionInfo]]:
        """Return the statement of the cell from which a frame was called, and the notebook functions in between."""
        functions: list[FunctionInfo] = []
        simple = self.steps[self._current].simple
        here: FrameType | None = frame
        while here is not None and not self._is_own(here.f_code):
            info = info_of_code(here.f_code)
            if info is not None:
                functions.append(info)
            here = here.f_back
        if simple is not None or here is None:
            return self._record(simple or self.steps[self._current].inner[0]), functions
        return self._record(self._statement_at(here.f_lineno)), functions

    def _is_own(self, code: CodeType) -> bool:
        return bool(code.co_consts) and code.co_consts[-1] is self

    def _statement_at(self, line: int) -> Statement:
        inner = self.steps[self._current].inner
        around = [statement for statement in inner if statement.first_line <= line <= statement.last_line]
        return min(around, key=lambda statement: statement.last_line - statement.first_line, default=inner[0])

    def _record(self, statement: Statement) -> Record:
        return self._records.setdefault(statement, Record(statement))

    def _apply(self, statement: Statement) -> None:
        record = self._record(statement)
        for call in statement.effects.calls:
            info = info_of_value(follow(call.path, self.values)) if self._function_reads else None
            if info is not None:
                record.read.update(self._function_reads.get(info, {}))
        self._updater.apply(record, statement, self.values, {})
        record.applied = True

    def _finish_step(self) -> None:
        step = self.steps[self._current]
        if step.simple is not None:
            self._apply(step.simple)
            if step.simple.effects.imports_star:
                self.lineage.synchronise(self.values, visible_names(self.values, self.lineage))
        self._finish_changes(step)

    def _finish_changes(self, step: Step) -> None:
        if step.simple is None:
            self.lineage.synchronise(self.values, step.stored)
        known = self._updated_objects() if self._before else set()
        for path, number, before in self._before:
            value = follow(path, self.values)
            if id(value) == number and number not in known and fingerprint(value) != before:
                self._noticed(step, path, value)

    def _updated_objects(self) -> set[int]:
        """Return the objects whose content the traced statements of this step have already updated."""
        targets = {target for record in self._records.values() for target in record.targets}
        shadows = self.lineage.shadows.values()
        return {shadow.identity for shadow in shadows if not targets.isdisjoint(shadow.members())}

    def _noticed(self, step: Step, path: Path, value: object) -> None:
        """Record that library code changed an object in place. Its parents are what the statement used."""
        statements = [statement for statement in step.inner if path in statement.effects.touched] or step.inner[:1]
        for statement in statements:
            record = self._record(statement)
            parents = self._updater.parents(statement.effects.uses, record)
            self.lineage.reach(path, self.values)
            self._updater.change(value, path, {**parents, **record.read}, record)

    def _fail_step(self, line: int | None) -> None:
        step = self.steps[self._current]
        for segment in step.segments:
            if segment in self._done or line is None or not _contains(segment, line):
                continue
            for statement in segment.statements:
                if statement.last_line < line:
                    self._apply(statement)
        self._finish_changes(step)

    def _failed_line(self, error: BaseException) -> int | None:
        """Return the line of the cell from which an exception came."""
        traceback = error.__traceback__
        while traceback is not None and not self._is_own(traceback.tb_frame.f_code):
            traceback = traceback.tb_next
        return traceback.tb_lineno if traceback is not None else None

    def _watched(self) -> Iterator[tuple[Path, object]]:
        if self._current >= len(self.steps):
            return
        step = self.steps[self._current]
        paths = dict.fromkeys(step.touched)
        for call in step.calls:
            info = info_of_value(follow(call.path, self.values))
            paths.update(dict.fromkeys(info.touched if info is not None else ()))
        for path in list(paths)[:_MAX_WATCHED]:
            value = follow(path, self.values)
            if value is not ABSENT:
                yield path, value


def _contains(segment: Segment, line: int) -> bool:
    return any(statement.first_line <= line <= statement.last_line for statement in segment.statements)


def visible_names(values: Mapping[str, object], lineage: Lineage) -> list[str]:
    """Return the variables of the user: all but those that Python and IPython keep for themselves."""
    return [name for name in {**values, **lineage.names} if not _is_internal(name)]


@lru_cache(maxsize=4096)
def _is_internal(name: str) -> bool:
    if name[:1] != "_":
        return name in {"In", "Out", "exit", "quit", "get_ipython"}
    rest = name.lstrip("_")
    return (
        not rest
        or rest.isdigit()
        or name.startswith("__")
        or (rest[0] == "i" and (rest[1:] or "0").strip("i0123456789") == "")
    )
