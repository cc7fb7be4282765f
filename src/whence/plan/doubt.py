"""When the value of an expression is in doubt, given which of the columns it reads are.

A doubtful cell could hold any value of its type, NULL included. AND, OR, CASE, IF and coalesce are precise: a certain
FALSE settles an AND whatever the other side holds, a certain NULL settles nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from whence.plan.caveat_calls import find_caveats_in_lambdas
from whence.plan.expr import FALSE, TRUE, Expr, all_of, any_of, call, choose, holds, negate
from whence.plan.higher_order import is_lambda

_NULL_IF_ANY_NULL = frozenset(
    {
        "equalto",
        "lessthan",
        "lessthanorequal",
        "greaterthan",
        "greaterthanorequal",
        "add",
        "subtract",
        "multiply",
        "divide",
    }
)
"""With one operand that is certainly NULL the result is certainly NULL, whatever the other could be."""

RULES = {
    "column": "where its cell is",
    "constant": "never",
    "`caveat_if(value, condition, why)`": "where the condition holds or could hold, or the value is in doubt",
    "`has_caveat(value)`, `bound_low(value)`, `bound_high(value)`": (
        "never: the answer is about the moment when the query ran"
    ),
    "AND, OR": "where an operand is, unless a certain FALSE settles the AND or a certain TRUE the OR",
    "CASE, IF": "where a condition could choose another branch, or the branch taken is",
    "coalesce": "where the first value that is not NULL, or one before it, is",
    "`= < <= > >= + - * /`": "where an operand is, unless another is certainly NULL",
    "a condition of WHERE, ON, CASE": "where its answer could change between TRUE and not TRUE; NULL counts as FALSE",
    "`e -> ...` in `transform` and the like": "where a column it reads is, or a caveat in it is raised on some element",
    "any other function": "where an argument is",
    "aggregate": "where a value it reads is, or a row that counts might come or go",
}
"""The rules below in words, for the docs."""

AggregateDoubt = Callable[[Expr], Expr]


def doubt(expr: Expr, doubts: Mapping[int, Expr], of_aggregate: AggregateDoubt | None = None) -> Expr:
    """An expression that is True where `expr` could have another value; FALSE if it never could."""
    return _Doubt(doubts, of_aggregate).of(expr)


def choice_doubt(condition: Expr, doubts: Mapping[int, Expr]) -> Expr:
    """True where a condition could decide otherwise: WHERE, ON and CASE take NULL as FALSE, so they ask less."""
    return _Doubt(doubts, None).whether(condition, TRUE)


class _Doubt:
    def __init__(self, doubts: Mapping[int, Expr], of_aggregate: AggregateDoubt | None) -> None:
        self._doubts = doubts
        self._of_aggregate = of_aggregate

    def of(self, expr: Expr) -> Expr:
        if expr.kind == "column":
            return self._doubts.get(expr.output.id, FALSE)
        if expr.kind == "aggregate" and self._of_aggregate is not None:
            return self._of_aggregate(expr)
        if expr.kind == "caveat":
            # Where the condition could come to hold, the value could come to be anything.
            value, condition = expr.args
            return any_of(self.of(value), self.whether(condition, TRUE), holds(condition))
        if expr.kind == "question":  # the answer says how things stood when it was given
            return FALSE
        if any(map(is_lambda, expr.args)):
            return self._of_higher_order(expr)
        if not expr.repeats:
            return self._any(expr)
        if expr.kind in ("and", "or"):
            return self._of_connective(expr, settling=FALSE if expr.kind == "and" else TRUE)
        if expr.kind in ("if", "case"):
            return self._case(expr.args)
        if expr.kind == "coalesce":
            return self._coalesce(expr.args)
        return self._any(expr)

    def whether(self, expr: Expr, wanted: Expr) -> Expr:
        """Return where the claim "this is TRUE" (or "this is FALSE") could change."""
        if expr.kind == "not":
            return self.whether(expr.args[0], FALSE if wanted == TRUE else TRUE)
        if expr.kind not in ("and", "or") or not expr.repeats:
            return self.of(expr)
        operands = _operands(expr)
        # AND is TRUE if all operands are, OR is FALSE if all are; otherwise one operand is enough.
        needs_all = (expr.kind == "and") == (wanted == TRUE)
        agrees = [call("<=>", operand, wanted) for operand in operands]
        return _unless_settled(
            [self.whether(operand, wanted) for operand in operands],
            agrees if needs_all else [negate(each) for each in agrees],
        )

    def _any(self, expr: Expr) -> Expr:
        if not _is_null_if_any_null(expr) or not expr.repeats:
            return any_of(*(self.of(child) for child in expr.children))
        values = list(_values(expr))
        there = [call("isnotnull", value) if _may_be_null(value) else TRUE for value in values]
        return _unless_settled([self.of(value) for value in values], there)

    def _of_higher_order(self, expr: Expr) -> Expr:
        """Where an argument is, or a column that a lambda reads, or where a caveat in one is raised on an element."""
        arguments = (self.of(arg) for arg in expr.args if not is_lambda(arg))
        columns = (column for arg in expr.args if is_lambda(arg) for column in arg.columns)
        read = (self._doubts.get(column.id, FALSE) for column in columns)
        return any_of(*arguments, *read, *(each.condition for each in find_caveats_in_lambdas(expr)))

    def _of_connective(self, expr: Expr, settling: Expr) -> Expr:
        operands = _operands(expr)
        is_open = [negate(call("<=>", operand, settling)) for operand in operands]
        return _unless_settled([self.of(operand) for operand in operands], is_open)

    def _case(self, args: tuple[Expr, ...]) -> Expr:
        if len(args) < 2:
            return self.of(args[0]) if args else FALSE
        condition, then, *rest = args
        taken = choose(holds(condition), self.of(then), self._case(tuple(rest)))
        return any_of(self.whether(condition, TRUE), taken)

    def _coalesce(self, args: tuple[Expr, ...]) -> Expr:
        if not args:
            return FALSE
        first, *rest = args
        return any_of(self.of(first), all_of(call("isnull", first), self._coalesce(tuple(rest))))


def _may_be_null(expr: Expr) -> bool:
    return expr.kind != "literal" and not (expr.kind == "column" and not expr.output.nullable)


def _is_null_if_any_null(expr: Expr) -> bool:
    return expr.kind == "call" and expr.name in _NULL_IF_ANY_NULL


def _values(expr: Expr) -> Iterator[Expr]:
    """Yield what arithmetic over arithmetic reads: one of them that is NULL makes the result NULL."""
    for arg in expr.args:
        if _is_null_if_any_null(arg):
            yield from _values(arg)
        else:
            yield arg


def _operands(expr: Expr) -> list[Expr]:
    """Return the operands of an AND over ANDs, or of an OR over ORs."""
    return [each for arg in expr.args for each in (_operands(arg) if arg.kind == expr.kind else [arg])]


def _unless_settled(doubts: list[Expr], is_open: list[Expr]) -> Expr:
    """True where some operand is in doubt, and no certain one settles the outcome, by not being open.

    All operands of a chain at once: one after the other, each would hold the doubt of all before it twice.
    """
    some = any_of(*doubts)
    if some == FALSE:
        return FALSE
    # Where only one operand can be in doubt, that it is says all about it.
    others = ((own, each) for own, each in zip(doubts, is_open, strict=True) if own != some)
    return all_of(some, *(any_of(own, each) for own, each in others))
