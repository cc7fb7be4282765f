"""Functions that compute only the arguments they need: IF, IFERROR, COALESCE, IFS and SWITCH."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.notebook.sheet.formula.errors import NA, FormulaError, error
from whence.notebook.sheet.formula.functions import Value, compared, is_true

Run = Callable[[int], Value]
"""A compiled formula: takes the position of a row and returns the value there."""
Branch = Callable[[Sequence[Run], int], Value]
"""Takes the arguments of a call, compiled, and the position of a row."""


def _if(runs: Sequence[Run], position: int) -> Value:
    claim = is_true(runs[0](position))
    if isinstance(claim, FormulaError):
        return claim
    if claim:  # an unknown condition takes the other branch, as CASE WHEN does in SQL
        return runs[1](position)
    return runs[2](position) if len(runs) == 3 else False


def _if_error(runs: Sequence[Run], position: int) -> Value:
    value = runs[0](position)
    return runs[1](position) if isinstance(value, FormulaError) else value


def _coalesce(runs: Sequence[Run], position: int) -> Value:
    return next((value for run in runs if (value := run(position)) is not None), None)


def _ifs(runs: Sequence[Run], position: int) -> Value:
    for condition, value in zip(runs[::2], runs[1::2], strict=True):
        claim = is_true(condition(position))
        if isinstance(claim, FormulaError):
            return claim
        if claim:
            return value(position)
    return error(NA, "None of the conditions holds.")


def _switch(runs: Sequence[Run], position: int) -> Value:
    value, pairs, default = runs[0](position), runs[1:], None
    if isinstance(value, FormulaError):
        return value
    if len(pairs) % 2:
        pairs, default = pairs[:-1], pairs[-1]
    for case, result in zip(pairs[::2], pairs[1::2], strict=True):
        wanted = case(position)
        if isinstance(wanted, FormulaError):
            return wanted
        if value is not None and wanted is not None and compared("=", value, wanted) is True:
            return result(position)
    return default(position) if default else error(NA, "The value is none of the cases.")


@dataclass(frozen=True)
class Branching:
    """A function that computes only some arguments: its code, and how many arguments it takes."""

    run: Branch
    takes: Callable[[int], bool]
    results: Callable[[int], Sequence[int]]
    """Returns which of so many arguments can be the result."""


BRANCHES: dict[str, Branching] = {
    "IF": Branching(_if, lambda n: n in (2, 3), lambda n: range(1, n)),
    "IFERROR": Branching(_if_error, lambda n: n == 2, range),
    "COALESCE": Branching(_coalesce, lambda n: n > 0, range),
    "IFS": Branching(_ifs, lambda n: n > 0 and n % 2 == 0, lambda n: range(1, n, 2)),
    "SWITCH": Branching(_switch, lambda n: n >= 3, lambda n: [*range(2, n, 2), *([] if n % 2 else [n - 1])]),
}
