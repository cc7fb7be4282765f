"""When the value of an expression is in doubt, given which of the columns it reads are.

A doubtful cell could hold any value of its type, NULL included. AND, OR, CASE, IF and coalesce are precise: a certain
FALSE settles an AND whatever the other side holds, a certain NULL settles nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whence.plan.expr import FALSE, TRUE, Expr, all_of, any_of, call, choose, holds, negate

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

_LAMBDA = "lambdafunction"
"""`e -> e + k`, as an argument of transform, filter, aggregate and the like."""

RULES = {
    "column": "where its cell is",
    "constant": "never",
    "`caveat_if(value, condition, why)`": "where the condition holds or could come to hold, or the value is in doubt",
    "`has_caveat(value)`": "never: it says how things stood when the query ran",
    "AND, OR": "where an operand is, unless a certain FALSE settles the AND or a certain TRUE the OR",
    "CASE, IF": "where a condition could choose another branch, or the branch taken is",
    "coalesce": "where the first value that is not NULL, or one before it, is",
    "`= < <= > >= + - * /`": "where an operand is, unless another is certainly NULL",
    "a condition of WHERE, ON, CASE": "where it could come to hold or cease to; NULL counts as FALSE",
    "`e -> ...` in `transform` and the like": "where a column it reads is",
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
        if expr.kind == "has_caveat":  # the answer says how things stood when it was given
            return FALSE
        if expr.name == _LAMBDA:
            return self._of_lambda(expr)
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
        left, right = expr.args
        left_doubt, right_doubt = self.whether(left, wanted), self.whether(right, wanted)
        # AND is TRUE if both sides are, OR is FALSE if both are; otherwise one side is enough.
        needs_both = (expr.kind == "and") == (wanted == TRUE)
        return any_of(
            _while_open(left_doubt, call("<=>", right, wanted), right_doubt, needs_both=needs_both),
            _while_open(right_doubt, call("<=>", left, wanted), left_doubt, needs_both=needs_both),
        )

    def _any(self, expr: Expr) -> Expr:
        doubts = [self.of(child) for child in expr.children]
        some = any_of(*doubts)
        if some == FALSE or expr.name not in _NULL_IF_ANY_NULL or not expr.repeats:
            return some
        alive = (any_of(own, _is_there(arg)) for own, arg in zip(doubts, expr.args, strict=True) if _may_be_null(arg))
        return all_of(some, *alive)

    def _of_lambda(self, expr: Expr) -> Expr:
        """Where a column it reads is: what its variables hold cannot be asked outside."""
        if any(node.kind == "caveat" for node in expr.walk()):
            return TRUE
        return any_of(*(self._doubts.get(column.id, FALSE) for column in expr.columns))

    def _of_connective(self, expr: Expr, settling: Expr) -> Expr:
        left, right = expr.args
        left_doubt, right_doubt = self.of(left), self.of(right)
        return any_of(
            _unless_settled(left_doubt, right, right_doubt, settling),
            _unless_settled(right_doubt, left, left_doubt, settling),
        )

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


def _is_there(expr: Expr) -> Expr:
    """The value is not NULL; of arithmetic, nothing it reads is, which is as good and need not be computed again."""
    if expr.kind == "call" and expr.name in _NULL_IF_ANY_NULL:
        return all_of(*(_is_there(arg) for arg in expr.args if _may_be_null(arg)))
    return call("isnotnull", expr)


def _while_open(own: Expr, other: Expr, other_doubt: Expr, *, needs_both: bool) -> Expr:
    """The doubt of one side of AND or OR, counted only where the other side does not settle the outcome."""
    if own == FALSE:
        return FALSE
    return all_of(own, any_of(other_doubt, other if needs_both else negate(other)))


def _unless_settled(own: Expr, other: Expr, other_doubt: Expr, settling: Expr) -> Expr:
    if own == FALSE:
        return FALSE
    return all_of(own, any_of(other_doubt, negate(call("<=>", other, settling))))
