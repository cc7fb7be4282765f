"""Chooses what lineage to store within budgets: the best of an integer program, a greedy choice and single strategies.

After SubZero, Section 3.8, with one change. A question has a direction, so the program chooses what to use for each
operator and direction, and what to store for each operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    from scipy import optimize, sparse
else:
    optimize = LazyModule("scipy.optimize")
    sparse = LazyModule("scipy.sparse")

_GAP = 0.01
"""The solver may stop within 1 % of the best cost."""
_SECONDS = 1.0
"""Time limit of the solver."""
_TIE = 1e-9
"""Weight of a byte or a millisecond against a second of waiting: only breaks ties."""


@dataclass(frozen=True)
class Option:
    """One strategy for one operator: its bytes, the seconds a run takes longer, and a question's seconds each way."""

    item: str
    kind: str
    disk: float
    run: float
    asking: Mapping[str, float]

    def is_worse(self, other: Option, directions: Iterable[str]) -> bool:
        """Whether the other option is at least as good in everything and better in something."""
        pairs = [(self.disk, other.disk), (self.run, other.run)]
        pairs += [(self.asking[each], other.asking[each]) for each in directions]
        return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


@dataclass(frozen=True)
class Problem:
    """The input of the solver: options, how often each operator is asked each way, budgets and the user's pins."""

    options: Sequence[Option]
    demand: Mapping[tuple[str, str], float]
    disk: float = np.inf
    run: float = np.inf
    pins: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def items(self) -> list[str]:
        """The operators and prepared questions to choose for."""
        return list(self._by_item)

    @cached_property
    def _by_item(self) -> dict[str, list[Option]]:
        found: dict[str, list[Option]] = {}
        for option in self.options:
            found.setdefault(option.item, []).append(option)
        return found

    @cached_property
    def _ways(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for (item, way), weight in self.demand.items():
            if weight > 0:
                found.setdefault(item, []).append(way)
        return found

    def of(self, item: str) -> list[Option]:
        """Return the options of one operator; only the pinned one if the user pinned one that exists."""
        every = self._by_item[item]
        pinned = [option for option in every if option.kind == self.pins.get(item)]
        return pinned or every

    def directions(self, item: str) -> list[str]:
        """Return the directions in which an operator is asked about."""
        return self._ways.get(item, [])

    def cost(self, chosen: Sequence[Option]) -> float:
        """Return the seconds that the whole workload takes if these options are stored."""
        best: dict[tuple[str, str], float] = {}
        for option in chosen:
            for way in self.directions(option.item):
                best[option.item, way] = min(best.get((option.item, way), np.inf), option.asking[way])
        return sum(self.demand[each] * seconds for each, seconds in best.items())

    def fits(self, chosen: Sequence[Option]) -> bool:
        """Whether these options stay within both budgets."""
        return sum(each.disk for each in chosen) <= self.disk and sum(each.run for each in chosen) <= self.run


@dataclass(frozen=True)
class Solution:
    """The options to store, the seconds the workload then takes, and the method that found them."""

    chosen: tuple[Option, ...]
    cost: float
    how: str

    @property
    def disk(self) -> float:
        """The bytes of the chosen options."""
        return sum(each.disk for each in self.chosen)

    @property
    def run(self) -> float:
        """The seconds by which the chosen options slow the runs down."""
        return sum(each.run for each in self.chosen)


def solve(problem: Problem, seconds: float = _SECONDS) -> Solution:
    """Return the best of the integer program, the greedy choice and each single strategy that fits the budgets."""
    small = Problem(_undominated(problem), problem.demand, problem.disk, problem.run, problem.pins)
    found = [("by integer program", exact(small, seconds)), ("greedily", greedy(small))]
    # With these as bounds the plan is never worse than the best of them, even if the solver stops early.
    found += [(f"{kind} everywhere", each) for kind, each in singles(problem)]
    plans = [(problem.cost(each), how, each) for how, each in found if each is not None and problem.fits(each)]
    if not plans:
        fallback = _least(problem)
        return Solution(tuple(fallback), problem.cost(fallback), "the least there is, which is more than the budget")
    cost, how, chosen = min(plans, key=lambda plan: (plan[0], sum(each.disk for each in plan[2])))
    return Solution(tuple(_used(problem, chosen)), cost, how)


def singles(problem: Problem) -> Iterator[tuple[str, list[Option]]]:
    """Yield, for each kind, the choice of that kind for every operator that has it, else its smallest option."""
    least = {option.item: option for option in _least(problem)}
    for kind in dict.fromkeys(option.kind for option in problem.options):
        own = {item: next((o for o in problem.of(item) if o.kind == kind), least[item]) for item in problem.items}
        yield kind, list(own.values())


def _least(problem: Problem) -> list[Option]:
    return [min(problem.of(item), key=lambda each: (each.disk, each.run)) for item in problem.items]


def _undominated(problem: Problem) -> list[Option]:
    kept = []
    for item in problem.items:
        options, ways = problem.of(item), problem.directions(item)
        kept += [each for each in options if not any(each.is_worse(other, ways) for other in options)]
    return kept


def _used(problem: Problem, chosen: Sequence[Option]) -> Iterator[Option]:
    """Yield the options that some question uses, and those the user pinned; at least one for each operator."""
    for item in problem.items:
        own = [each for each in chosen if each.item == item]
        best = [min(own, key=lambda each: each.asking[way]) for way in problem.directions(item)]
        pinned = [each for each in own if problem.pins.get(item) == each.kind]
        wanted = best or pinned or [min(own, key=lambda each: (each.disk, each.run))]
        yield from (each for each in own if each in wanted or each in pinned)


def greedy(problem: Problem) -> list[Option] | None:
    """Start from the smallest options and add what saves most for its share of the budgets; None if nothing fits."""
    chosen = _least(problem)
    if not problem.fits(chosen):
        return None
    left = [problem.disk - sum(o.disk for o in chosen), problem.run - sum(o.run for o in chosen)]
    best = {(o.item, way): o.asking[way] for o in chosen for way in problem.directions(o.item)}
    waiting = [o for item in problem.items for o in problem.of(item) if o not in chosen]
    while True:
        waiting = [o for o in waiting if o.disk <= left[0] and o.run <= left[1]]
        worth = [(_saving(problem, o, best) / _share(problem, o), n) for n, o in enumerate(waiting)]
        most, number = max(worth, default=(0.0, 0))
        if most <= 0:
            return chosen
        option = waiting.pop(number)
        if not problem.fits([*chosen, option]):  # what is left was subtracted, and may be off by rounding
            continue
        chosen.append(option)
        left = [left[0] - option.disk, left[1] - option.run]
        for way in problem.directions(option.item):
            best[option.item, way] = min(best[option.item, way], option.asking[way])


def _saving(problem: Problem, option: Option, best: Mapping[tuple[str, str], float]) -> float:
    ways = problem.directions(option.item)
    gains = (problem.demand[option.item, way] * (best[option.item, way] - option.asking[way]) for way in ways)
    return sum(gain for gain in gains if gain > 0)


def _share(problem: Problem, option: Option) -> float:
    parts = ((option.disk, problem.disk), (option.run, problem.run))
    # Without limits every share is 0: the small number keeps the division defined.
    return 1e-12 + sum(amount / budget for amount, budget in parts if budget > 0 and not np.isinf(budget))


def exact(problem: Problem, seconds: float = _SECONDS) -> list[Option] | None:
    """Solve the integer program; return None if the solver finds nothing in time."""
    options = list(problem.options)
    uses = [(number, way) for number, option in enumerate(options) for way in problem.directions(option.item)]
    stored, count = len(options), len(options) + len(uses)
    if not stored:
        return []
    cost = np.array(
        [
            *(_TIE * (option.disk + 1000 * option.run) for option in options),
            *(problem.demand[options[n].item, way] * options[n].asking[way] for n, way in uses),
        ]
    )
    # Only "stored" must be 0 or 1: once that is fixed, the cheapest "used" are whole by themselves.
    is_whole = np.array([1] * stored + [0] * len(uses))
    rows = list(chain(_budgets(problem, options), _one_each(problem, options, uses), _only_stored(stored, uses)))
    table = sparse.coo_array(
        (
            [value for cells, _, _ in rows for _, value in cells],
            (
                [number for number, (cells, _, _) in enumerate(rows) for _ in cells],
                [place for cells, _, _ in rows for place, _ in cells],
            ),
        ),
        shape=(len(rows), count),
    ).tocsr()
    limits = optimize.LinearConstraint(table, [low for _, low, _ in rows], [high for _, _, high in rows])
    found = optimize.milp(
        cost,
        integrality=is_whole,
        bounds=optimize.Bounds(0, 1),
        constraints=limits,
        options={"time_limit": seconds, "mip_rel_gap": _GAP},
    )
    if found.x is None:
        return None
    # The solver gives floats that are close to 0 or 1.
    return [option for number, option in enumerate(options) if found.x[number] > 0.5]


_Row = tuple[list[tuple[int, float]], float, float]


def _budgets(problem: Problem, options: list[Option]) -> Iterator[_Row]:
    for budget, amounts in ((problem.disk, [o.disk for o in options]), (problem.run, [o.run for o in options])):
        if not np.isinf(budget):
            # Scaled to one, as a solver compares with a fixed tolerance.
            scale = max(budget, 1e-12)
            yield [(n, amount / scale) for n, amount in enumerate(amounts)], -np.inf, budget / scale


def _one_each(problem: Problem, options: list[Option], uses: list[tuple[int, str]]) -> Iterator[_Row]:
    """Yield the constraints that each operator stores at least one option and each direction uses exactly one."""
    for item in problem.items:
        yield [(n, 1.0) for n, option in enumerate(options) if option.item == item], 1, np.inf
        for way in problem.directions(item):
            places = [len(options) + k for k, (n, d) in enumerate(uses) if d == way and options[n].item == item]
            yield [(place, 1.0) for place in places], 1, 1


def _only_stored(stored: int, uses: list[tuple[int, str]]) -> Iterator[_Row]:
    for place, (number, _) in enumerate(uses):
        # used - stored <= 0: a question can use only what is stored.
        yield [(stored + place, 1.0), (number, -1.0)], -np.inf, 0
