"""Higher-order functions: `transform(tags, e -> ...)` and the like, whose lambdas see elements that only they know.

Spark's tree holds a lambda as an argument: its body first, then its variables, which exist nowhere else. A question
about them is asked by another lambda over the same elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from whence.plan.expr import LAMBDA, LAMBDA_VARIABLE, Expr, call

_OVER_ARRAY = frozenset({"arraytransform", "arrayfilter", "arrayexists", "arrayforall"})
_OVER_MAP = frozenset({"mapfilter", "transformkeys", "transformvalues"})


def is_lambda(expr: Expr) -> bool:
    """Whether an argument is a lambda."""
    return expr.kind == "call" and expr.name == LAMBDA


def reads_variables(expr: Expr) -> bool:
    """Whether the variable of some lambda is in an expression."""
    return any(node.kind == "call" and node.name == LAMBDA_VARIABLE for node in expr.walk())


def lambda_bodies(function: Expr) -> Iterator[tuple[int, Expr]]:
    """The lambdas among the arguments of a function: the place of each, and its body."""
    return ((place, arg.args[0]) for place, arg in enumerate(function.args) if is_lambda(arg))


def for_each_element(function: Expr, place: int, body: Expr) -> Expr | None:
    """An array of what another body gives for each element that the lambda at this place sees.

    None if only the function itself knows what the lambda sees, as the sums so far in `aggregate` or the pairs that
    `array_sort` compares.
    """
    if not function.repeats:
        return None
    asking = replace(function.args[place], args=(body, *function.args[place].args[1:]), is_rebuilt=True)
    over = function.args[:place]
    if function.name in _OVER_ARRAY:
        return call("transform", *over, asking)
    if function.name in _OVER_MAP:
        return call("map_values", call("transform_values", *over, asking))
    if function.name == "zipwith":
        return replace(function, args=(*over, asking), is_rebuilt=True)
    if function.name == "mapzipwith":
        return call("map_values", replace(function, args=(*over, asking), is_rebuilt=True))
    return None
