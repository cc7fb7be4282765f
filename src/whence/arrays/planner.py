"""The lineage planner: a background thread that measures strategies, chooses within a budget, and stores what pays."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from whence.arrays.answers import OperatorAnswers
from whence.arrays.document import NAME, OperatorDocument
from whence.arrays.measure import WAYS, StrategyCosts, measure
from whence.arrays.optimise import Option, Problem, Solution, solve
from whence.arrays.plan_report import Choice, LineagePlan
from whence.arrays.queries import Queries, item_of
from whence.arrays.strategy import COARSE
from whence.arrays.strategy import strategy as named
from whence.arrays.tracing import read_input
from whence.arrays.workload import Workload
from whence.lineage.document import NAME as LINEAGE
from whence.lineage.document import LineageDocument
from whence.lineage.prepared_files import ExpectedQuestion
from whence.lineage.strategy import Mode, checked_mode, reason_for_off
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store

_MEGABYTE = 1_000_000
_QUIET = 0.5
"""Seconds without a run after which planning begins."""


@dataclass(frozen=True)
class Budget:
    """Limits for lineage: `disk` in bytes, and `slowdown` as the factor by which runs may take longer."""

    disk: float = np.inf
    slowdown: float = np.inf
    pins: Mapping[str, str] = field(default_factory=dict)
    """The strategy that the user fixes, by dataset name."""


_Prepared = tuple[DatasetRecord, ExpectedQuestion]


class Planner:
    """The planner of one workspace; it works only while there is a budget."""

    def __init__(self, store: Store, trace: Trace, answers: OperatorAnswers, queries: Queries) -> None:
        self._store = store
        self._trace = trace
        self._answers = answers
        self._queries = queries
        self.workload = Workload()
        self.budget: Budget | None = None
        self._measured: dict[DatasetId, list[StrategyCosts]] = {}
        self._plan: LineagePlan | None = None
        self._is_due = False
        self._is_wanted = False
        self._error: WhenceError | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def set(self, budget: Budget) -> None:
        """Plan within this budget from now on."""
        self.budget = budget
        self._queries.planned(True)
        self.request()

    def request(self) -> None:
        """Ask for a new plan after a change; the background thread makes it, so that no run waits."""
        if self.budget is None:
            return
        with self._changed:
            self._is_due = True
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="whence-planner", daemon=True)
                self._thread.start()

    def plan(self) -> LineagePlan:
        """Return the newest plan; without a budget return one without limits, and store nothing."""
        self.finish()
        if self._error is not None:
            raise self._error
        if self._plan is None or self.budget is None:
            return self._make(Budget(), is_kept=False)
        return self._plan

    def finish(self) -> None:
        """Wait until nothing is left to plan."""
        thread = self._thread
        if thread is not None:
            with self._changed:
                self._is_wanted = True
                self._changed.notify()
            thread.join()
            self._is_wanted = False

    def close(self) -> None:
        """Stop planning, and wait for the thread to end."""
        self.budget = None
        self.finish()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._wait_for_quiet()
                if not self._is_due or self.budget is None:
                    # Cleared under the lock: `request` either sees this thread at work or starts another.
                    self._thread = None
                    return
                self._is_due = False
                budget = self.budget
            try:
                self._plan, self._error = self._make(budget, is_kept=True), None
            except WhenceError as error:
                # An error in this thread would be lost; `plan` raises it to the user.
                self._error = error

    def _wait_for_quiet(self) -> None:
        """Wait until no run asked for a plan in a while: runs come in sequences, and measuring would slow them down."""
        # `wait` returns False when no request came for `_QUIET` seconds; `finish` sets `_is_wanted` to plan at once.
        while self._is_due and self.budget is not None and not self._is_wanted and self._changed.wait(_QUIET):
            continue

    def mode_for_query(self, name: str) -> Mode | None:
        """Return the capture mode of a query under a budget: lazy unless the user pinned another; None without one."""
        if self.budget is None:
            return None
        pinned = self.budget.pins.get(name)
        return checked_mode(pinned) if pinned in ("inject", "defer") else "lazy"

    def _make(self, budget: Budget, *, is_kept: bool) -> LineagePlan:
        records = {each.label: each for each in self._store.datasets() if self._is_planned(each)}
        by_id = {each.id: each for each in records.values()}
        asked = self.workload.sources(self._trace, self._store.by_id)
        expected = {
            item_of(by_id[dataset], each): (by_id[dataset], each)
            for dataset, each in self.workload.by_attributes()
            if dataset in by_id and self._is_query(by_id[dataset])
        }
        options = [option for record in records.values() for option in self._options(record, asked)]
        options += [each for record, what in expected.values() for each in self._queries.prepared_options(record, what)]
        seconds = sum(self._seconds(record) for record in records.values())
        # A slowdown of 1.2 leaves a fifth of the time of all runs for lineage.
        run = np.inf if np.isinf(budget.slowdown) else max(budget.slowdown - 1, 0) * seconds
        problem = Problem(
            options, self._demand(by_id, expected), budget.disk, run, self._pins(records, expected, budget)
        )
        solution = solve(problem)
        if is_kept:
            self._keep(records, expected, solution, asked)
        return self._report(records, expected, problem, solution=solution, budget=budget, seconds=seconds)

    def _demand(
        self, by_id: Mapping[DatasetId, DatasetRecord], expected: Mapping[str, _Prepared]
    ) -> dict[tuple[str, str], float]:
        found = {
            (by_id[dataset].label, way): weight
            for (dataset, way), weight in self.workload.demand(self._trace, self._store.by_id).items()
            if dataset in by_id
        }
        weights = self.workload.by_attributes()
        for item, (record, what) in expected.items():
            found |= {(item, way): weight for way, weight in weights[record.id, what].items()}
        return found

    def _pins(
        self, records: Mapping[str, DatasetRecord], expected: Mapping[str, _Prepared], budget: Budget
    ) -> dict[str, str]:
        said = {each.label: budget.pins[each.name] for each in records.values() if each.name in budget.pins}
        said |= {item: budget.pins[record.name] for item, (record, _) in expected.items() if record.name in budget.pins}
        return {**said, **{label: kind for label, kind in self._fixed(records).items() if label not in said}}

    def _is_planned(self, record: DatasetRecord) -> bool:
        if self._is_query(record):
            return self._queries.is_planned(record)
        content = self._store.document(record, NAME)
        # A function over rows, or an operator whose arguments JSON cannot hold, cannot be made again from its document.
        if content is None or OperatorDocument.from_json(content).operator["arguments"] is None:
            return False
        lineage = LineageDocument.from_json(self._store.document(record, LINEAGE) or {})
        if lineage.pruned_sources or reason_for_off(lineage.strategy) is not None:
            return False  # the user wanted it untraced
        parents = [self._store.by_id(parent) for parent in record.parents]
        is_whole = not any(isinstance(parent, ForgottenRecord) for parent in parents)
        return is_whole and self._answers.is_known(record)

    def _is_query(self, record: DatasetRecord) -> bool:
        return record.origin != "operator"

    def _seconds(self, record: DatasetRecord) -> float:
        return 0.0 if self._is_query(record) else self._answers.document(record).seconds

    def _options(self, record: DatasetRecord, asked: Mapping[DatasetId, Collection[int]]) -> list[Option]:
        if self._is_query(record):
            return self._queries.options(record, asked.get(record.id, ()))
        return [
            Option(record.label, each.strategy.kind, each.disk, each.run, each.asking) for each in self._costs(record)
        ]

    def _costs(self, record: DatasetRecord) -> list[StrategyCosts]:
        if record.id not in self._measured:
            content = self._store.document(record, LINEAGE) or {}
            sources = [self._store.by_id(each) for each in content["sources"]]  # type: ignore[attr-defined]
            inputs = [read_input(self._store, each) for each in sources]
            self._measured[record.id] = measure(self._answers.operator(record), inputs)
        return self._measured[record.id]

    def _fixed(self, records: Mapping[str, DatasetRecord]) -> dict[str, str]:
        """Return the strategies that runs have stored already, by dataset label: the plan keeps these."""
        found = {}
        for label, record in records.items():
            if self._is_query(record):
                kind, is_kept = "inject", not self._queries.is_late(record)
            else:
                strategy = self._answers.document(record).strategy
                kind, is_kept = strategy.kind, strategy.is_stored or strategy == COARSE
            if is_kept:
                found[label] = kind
        return found

    def _keep(
        self,
        records: Mapping[str, DatasetRecord],
        expected: Mapping[str, _Prepared],
        solution: Solution,
        asked: Mapping[DatasetId, Collection[int]],
    ) -> None:
        fixed = self._fixed(records)
        for label, record in records.items():
            chosen = [each for each in solution.chosen if each.item == label]
            if self._is_query(record):
                self._queries.keep_prepared(record, _kinds(record, expected, solution))
            if label in fixed:
                continue
            if self._is_query(record):
                self._queries.keep(record, chosen, asked.get(record.id, ()))
            else:
                self._store_chosen(record, chosen)

    def _store_chosen(self, record: DatasetRecord, chosen: list[Option]) -> None:
        costs = {each.strategy.kind: each for each in self._costs(record)}
        for kind, measured in costs.items():
            if any(each.kind == kind for each in chosen) and measured.strategy.is_stored:
                if not self._answers.planned.bytes(record, measured.strategy):
                    self._answers.planned.write(record, measured.strategy, measured.arrays)
            else:
                self._answers.planned.drop(record, measured.strategy)
        best = {way: min(chosen, key=lambda each: each.asking[way]) for way in WAYS}
        self._answers.planned.use(record, {way: named(each.kind) for way, each in best.items()})

    def _report(
        self,
        records: Mapping[str, DatasetRecord],
        expected: Mapping[str, _Prepared],
        problem: Problem,
        solution: Solution,
        budget: Budget,
        seconds: float,
    ) -> LineagePlan:
        choices = [self._choice(record, record.label, problem, solution, budget) for record in records.values()]
        choices += [self._choice(record, item, problem, solution, budget) for item, (record, _) in expected.items()]
        slowdown = 1 + solution.run / seconds if seconds else 1.0
        return LineagePlan(
            choices=tuple(sorted(choices, key=lambda each: list(records).index(each.dataset))),
            disk=int(solution.disk),
            disk_budget=budget.disk,
            slowdown=slowdown,
            slowdown_budget=budget.slowdown,
            cost=solution.cost,
            how=solution.how,
            next_megabyte=_next_megabyte(problem, solution),
        )

    def _choice(self, record: DatasetRecord, item: str, problem: Problem, solution: Solution, budget: Budget) -> Choice:
        own = [each for each in solution.chosen if each.item == item]
        ways = dict.fromkeys(way for each in own for way in each.asking)
        return Choice(
            dataset=record.label,
            operator="query" if self._is_query(record) else record.text,
            kinds=tuple(each.kind for each in own),
            disk=int(sum(each.disk for each in own)),
            seconds=sum(each.run for each in own),
            asking={way: min(each.asking[way] for each in own if way in each.asking) for way in ways},
            why=self._why(record, item, own, problem, budget),
            about=item.removeprefix(record.label).strip(),
        )

    def _why(self, record: DatasetRecord, item: str, own: list[Option], problem: Problem, budget: Budget) -> str:
        pinned = budget.pins.get(record.name)
        if any(each.kind == pinned for each in own):
            return "as you said"
        if item in problem.pins and problem.pins[item] != pinned:
            return "stored when it was made"
        if not problem.directions(item):
            return "no question is asked about it"
        if all(not each.disk and not each.run for each in own):
            rest = [each for each in problem.of(item) if each not in own]
            is_best = all(problem.cost(own) <= problem.cost([each]) for each in rest)
            return "nothing stored answers quicker" if is_best else "what answers quicker does not fit the budget"
        return "pays for the questions that are asked"


def _kinds(
    record: DatasetRecord, expected: Mapping[str, _Prepared], solution: Solution
) -> dict[ExpectedQuestion, list[str]]:
    """Return the kinds that were chosen for each question by attributes about a dataset."""
    return {
        what: [each.kind for each in solution.chosen if each.item == item]
        for item, (about, what) in expected.items()
        if about.id == record.id
    }


def _next_megabyte(problem: Problem, solution: Solution) -> str:
    if np.isinf(problem.disk):
        return "There is no limit on disk."
    more = solve(replace(problem, disk=problem.disk + _MEGABYTE))
    saved = solution.cost - more.cost
    if saved <= 1e-6:
        return "The next megabyte would buy nothing."
    return f"The next megabyte would save {saved * 1000:.1f} ms of {solution.cost * 1000:.1f} ms."
