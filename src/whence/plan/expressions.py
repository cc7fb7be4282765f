"""The expressions a step holds, whatever the step: found and changed through its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from whence.plan.expr import Expr, SortKey
from whence.plan.step import Step


def expressions(step: Step) -> Iterator[Expr]:
    """Every expression of the step itself, sort keys included."""
    for field in fields(step):
        yield from _inside(getattr(step, field.name))


def raises_caveats(step: Step) -> bool:
    """Some expression of the step itself raises a caveat, so that its output is in doubt over certain input, too."""
    return any(expr.caveats for expr in expressions(step))


def with_expressions(step: Step, change: Callable[[Expr], Expr]) -> Step:
    """The step with each of its expressions changed; sort keys stay, because only Spark can write them."""
    changed: dict[str, Any] = {}
    for field in fields(step):
        value = getattr(step, field.name)
        if isinstance(value, Expr):
            changed[field.name] = change(value)
        elif isinstance(value, tuple) and value and all(isinstance(each, Expr) for each in value):
            changed[field.name] = tuple(change(each) for each in value)
    return replace(step, **changed)


def _inside(value: object) -> Iterator[Expr]:
    match value:
        case Expr():
            yield value
        case SortKey():
            yield value.expr
        case tuple():
            for each in value:
                yield from _inside(each)
