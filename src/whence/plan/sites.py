"""Where a plan raises caveats: on which rows of which step, and which columns of the result each can reach."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.plan.caveat_calls import CaveatCall, find_caveats, message_text
from whence.plan.columnmap import Uses
from whence.plan.expr import Column, Expr, any_of, null
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
    message: Expr
    """Why, as an expression over the row."""


@dataclass
class _EqualCalls:
    step: Step
    column: Column | None
    calls: list[CaveatCall] = field(default_factory=list)

    @property
    def condition(self) -> Expr:
        return any_of(*(each.condition for each in self.calls))

    @property
    def message(self) -> Expr:
        """The message of the call that is raised: equal calls in two lambdas see other elements."""
        messages = list(dict.fromkeys(each.message for each in self.calls if each.message is not None))
        if len(messages) == 1:
            return messages[0]
        raised = (
            Expr("if", (each.condition, message_text(each.message), null("string")), name="if")
            for each in self.calls
            if each.message is not None
        )
        return Expr("coalesce", tuple(raised), name="coalesce")


def sites(plan: Step) -> tuple[Site, ...]:
    """Return every caveat call of a plan, those nearest to the result first; equal calls of one step count once."""
    found: dict[tuple[int, Expr], _EqualCalls] = {}
    for step in plan.walk():
        for expr in expressions(step):
            column = expr.output if expr.kind == "alias" else None
            for each in find_caveats(expr):
                if each.message is not None:  # one without a message is listed by whoever made it
                    found.setdefault((id(step), each.caveat), _EqualCalls(step, column)).calls.append(each)
    return tuple(
        Site(caveat, each.step, _single_input(each.step.inputs), each.condition, each.column, message=each.message)
        for (_, caveat), each in found.items()
    )


def notes(uses: Uses, known: tuple[Site, ...]) -> list[int]:
    """Return the numbers of the sites whose caveats are among these uses."""
    used = {use.note for use in uses}
    return [number for number, site in enumerate(known) if site.caveat in used]


def _single_input(steps: tuple[Step, ...]) -> Step | None:
    return steps[0] if len(steps) == 1 else None
