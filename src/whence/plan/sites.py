"""Where a plan raises caveats: on which rows of which step, and which columns of the result each can reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from whence.plan.columnmap import Uses
from whence.plan.expr import TRUE, Column, Expr, all_of, any_of, call, holds, negate
from whence.plan.expressions import expressions
from whence.plan.step import Step


@dataclass(frozen=True)
class Site:
    """One call of `caveat` or `caveat_if`, raised on the rows of `input_step` where `condition` holds.

    `input_step` is None where it is raised on pairs of a join.
    """

    caveat: Expr
    step: Step
    input_step: Step | None
    condition: Expr
    column: Column | None
    """The column it was stated in, where that is one."""

    @property
    def message(self) -> Expr:
        """Why, as an expression over the row."""
        assert isinstance(self.caveat.value, Expr)
        return self.caveat.value


@dataclass
class _CaveatConditions:
    step: Step
    column: Column | None
    whens: list[Expr] = field(default_factory=list)


def sites(plan: Step) -> tuple[Site, ...]:
    """Return every caveat call of a plan, those nearest to the result first; equal calls of one step count once."""
    found: dict[tuple[int, Expr], _CaveatConditions] = {}
    for step in plan.walk():
        for expr in expressions(step):
            column = expr.output if expr.kind == "alias" else None
            for caveat, when in _find_caveats(expr, TRUE):
                found.setdefault((id(step), caveat), _CaveatConditions(step, column)).whens.append(when)
    return tuple(
        Site(caveat, each.step, _single_input(each.step.inputs), any_of(*each.whens), each.column)
        for (_, caveat), each in found.items()
    )


def notes(uses: Uses, known: tuple[Site, ...]) -> list[int]:
    """Return the numbers of the sites whose caveats are among these uses."""
    used = {use.note for use in uses}
    return [number for number, site in enumerate(known) if site.caveat in used]


def _find_caveats(expr: Expr, when: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The caveats of an expression, each with the condition under which it is evaluated and holds."""
    match expr.kind:
        case "caveat":
            value, condition = expr.args
            if isinstance(expr.value, Expr):  # one without a message is listed by whoever made it
                yield expr, all_of(when, holds(condition))
            yield from _find_caveats(value, when)
            yield from _find_caveats(condition, when)
        case "if" | "case":
            yield from _branches(expr.args, when)
        case "coalesce":
            for arg in expr.args:
                yield from _find_caveats(arg, when)
                when = all_of(when, call("isnull", arg))
        case "aggregate" if expr.condition is not None:
            yield from _find_caveats(expr.condition, when)
            for arg in expr.args:
                yield from _find_caveats(arg, all_of(when, holds(expr.condition)))
        case _:
            for child in expr.children:
                yield from _find_caveats(child, when)


def _branches(args: tuple[Expr, ...], when: Expr) -> Iterator[tuple[Expr, Expr]]:
    if len(args) < 2:
        for last in args:
            yield from _find_caveats(last, when)
        return
    condition, then, *rest = args
    yield from _find_caveats(condition, when)
    yield from _find_caveats(then, all_of(when, holds(condition)))
    yield from _branches(tuple(rest), all_of(when, negate(holds(condition))))


def _single_input(steps: tuple[Step, ...]) -> Step | None:
    return steps[0] if len(steps) == 1 else None
