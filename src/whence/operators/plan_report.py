"""What was chosen to be stored, why, and what the next megabyte would buy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """What is kept for one dataset, what it takes, and how long a question takes each way."""

    dataset: str
    operator: str
    kinds: tuple[str, ...]
    disk: int
    seconds: float
    asking: Mapping[str, float]
    why: str


@dataclass(frozen=True)
class LineagePlan:
    """A plan; print it to read it."""

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
        width = max([len(each.dataset) for each in self.choices], default=0)
        lines = [
            f"{each.dataset:<{width}}  {' + '.join(each.kinds):<10}  {_bytes(each.disk):>9}  "
            f"back {each.asking['backward'] * 1000:.1f} ms, forth {each.asking['forward'] * 1000:.1f} ms  {each.why}"
            for each in self.choices
        ]
        lines.append(
            f"{_bytes(self.disk)} of {_budget(self.disk_budget)}, runs {self.slowdown:.2f} times as long "
            f"(at most {self.slowdown_budget:.2f}); the questions take {self.cost * 1000:.1f} ms; chosen {self.how}."
        )
        return "\n".join([*lines, self.next_megabyte])


def _budget(amount: float) -> str:
    return "any disk" if amount == float("inf") else _bytes(amount)


def _bytes(amount: float) -> str:
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
