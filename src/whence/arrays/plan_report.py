"""The report of the lineage planner: what it stores, why, and what the next megabyte would save."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """What the plan stores for one dataset, its cost, and how long a question takes each way."""

    dataset: str
    operator: str
    kinds: tuple[str, ...]
    disk: int
    seconds: float
    asking: Mapping[str, float]
    """Seconds of a question, by direction: backward and forward; filter and totals for prepared lineage."""
    why: str
    about: str = ""
    """The questions by attributes that prepared lineage answers; empty for the dataset's own lineage."""


@dataclass(frozen=True)
class LineagePlan:
    """The plan of a workspace: the choice for each dataset, and totals against the budgets. `print` shows it."""

    choices: tuple[Choice, ...]
    disk: int
    disk_budget: float
    slowdown: float
    slowdown_budget: float
    cost: float
    how: str
    next_megabyte: str

    def __getitem__(self, dataset: str) -> Choice:
        return next(each for each in self.choices if dataset in (each.dataset, each.dataset.rpartition("@")[0]))

    def __str__(self) -> str:
        names = [f"{each.dataset} {each.about}".strip() for each in self.choices]
        width = max(map(len, names), default=0)
        lines = [
            f"{name:<{width}}  {' + '.join(each.kinds):<10}  {_bytes(each.disk):>9}  {_asking(each)}  {each.why}"
            for name, each in zip(names, self.choices, strict=True)
        ]
        lines.append(
            f"{_bytes(self.disk)} of {_budget(self.disk_budget)}, runs {self.slowdown:.2f} times as long "
            f"(at most {self.slowdown_budget:.2f}); the questions take {self.cost * 1000:.1f} ms; chosen {self.how}."
        )
        return "\n".join([*lines, self.next_megabyte])


_WORDS = {"backward": "back", "forward": "forth"}


def _asking(choice: Choice) -> str:
    times = (f"{_WORDS.get(way, way)} {seconds * 1000:.1f} ms" for way, seconds in choice.asking.items())
    return ", ".join(times) or "not measured"


def _budget(amount: float) -> str:
    return "any disk" if amount == float("inf") else _bytes(amount)


def _bytes(amount: float) -> str:
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
