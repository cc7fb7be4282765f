"""Writes expressions as Spark's: unchanged ones are reused by handle, others are built from Spark's functions."""

from __future__ import annotations

from typing import Any, cast

from whence.engine.handles import ExprHandle, Handles
from whence.engine.jvm import Jvm
from whence.engine.outputs import Outputs
from whence.model.errors import InternalError
from whence.plan.expr import BOUND_ENDS, LAMBDA, LAMBDA_VARIABLE, TRY_CAST, Column, Expr, Frame, SortKey, WindowSpec

_EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions"


class ExprWriter:
    """Writes the expressions of one plan."""

    def __init__(self, jvm: Jvm, handles: Handles) -> None:
        self._jvm = jvm
        self._handles = handles
        self._seen: list[Outputs] = []

    def write(self, expr: Expr, scope: Outputs) -> Any:  # noqa: ANN401 - a JVM object
        """Return Spark's expression. Columns are looked up in `scope`."""
        if expr.handle is not None and not expr.is_rebuilt:
            return self._handles.expr(cast(ExprHandle, expr.handle))
        match expr.kind:
            case "column":
                return self._attribute(expr.output, scope)
            case "literal":
                return self._literal(expr)
            case "alias":
                return self._alias(expr, scope)
            case "aggregate":
                return self._aggregate(expr, scope)
            case "caveat":
                return self.write(expr.args[0], scope)
            case "question":
                return self._answer(expr, scope)
            case "window":
                return self._window(expr, scope)
            case "field":
                inner = self.write(expr.args[0], scope)
                return self._jvm.make(f"{_EXPRESSIONS}.GetStructField", inner, expr.value, self._jvm.none())
            case _:
                return self._call(expr, scope)

    def sort_order(self, key: SortKey) -> Any:  # noqa: ANN401
        """Return Spark's ORDER BY key: the one that was read, or for a key that a rule made, a constant."""
        if key.handle is None:
            upwards = (self._jvm.singleton(f"{_EXPRESSIONS}.{name}") for name in ("Ascending", "NullsFirst"))
            return self._jvm.make(f"{_EXPRESSIONS}.SortOrder", self._literal(key.expr), *upwards, self._jvm.seq([]))
        return self._handles.expr(cast(ExprHandle, key.handle))

    def name(self, column: Column, expression: Any) -> Any:  # noqa: ANN401
        """Return the expression under the name of a column that a rule has added, with a new id."""
        return self._jvm.alias(expression, column.name, self._jvm.new_expr_id())

    def attribute_for(self, column: Column, data_type: Any = None) -> Any:  # noqa: ANN401
        """Return a new attribute for an output column of a generator. Its type is the column's or the one given."""
        kind = column.type if data_type is None else data_type
        return self._jvm.attribute(column.name, kind, column.nullable, self._jvm.new_expr_id())

    def see(self, scope: Outputs) -> None:
        """Remember the columns of an operator: a rule may need a NULL of the same type as one of them later."""
        self._seen.append(scope)

    def _literal(self, expr: Expr) -> Any:  # noqa: ANN401
        if expr.column is None:
            return self._jvm.literal(expr.value, expr.type)
        known = next(found for scope in self._seen if (found := scope.get(expr.column)) is not None)
        return self._jvm.null(known.dataType())

    def _attribute(self, column: Column, scope: Outputs) -> Any:  # noqa: ANN401
        found = scope.get(column)
        if found is None:
            raise InternalError(f"A rule reads {column.name}, which its input does not have.")
        return found

    def _alias(self, expr: Expr, scope: Outputs) -> Any:  # noqa: ANN401
        inner = self.write(expr.args[0], scope)
        if expr.handle is not None:
            return self._handles.expr(cast(ExprHandle, expr.handle)).withNewChildren(self._jvm.seq([inner]))
        if expr.output.id >= 0:  # a column of the user's that is computed another way keeps its id
            return self._jvm.alias(inner, expr.output.name, self._jvm.expr_id(expr.output.id))
        return self.name(expr.output, inner)

    def _answer(self, expr: Expr, scope: Outputs) -> Any:  # noqa: ANN401
        """Return the answer to a question in the type that Spark gave the question; NULL if that does not hold it."""
        answer = self.write(cast(Expr, expr.value), scope)
        if expr.name not in BOUND_ENDS:
            return answer
        kind = self._handles.expr(cast(ExprHandle, expr.handle)).dataType()
        mode = self._jvm.singleton(f"{_EXPRESSIONS}.EvalMode").TRY()
        return self._jvm.make(f"{_EXPRESSIONS}.Cast", answer, kind, self._jvm.none(), mode)

    def _aggregate(self, expr: Expr, scope: Outputs) -> Any:  # noqa: ANN401
        condition = self._jvm.none() if expr.condition is None else self._jvm.some(self.write(expr.condition, scope))
        if expr.handle is None:
            function = self._jvm.function(expr.name, [self.write(arg, scope) for arg in expr.args])
            return function.toAggregateExpression(expr.is_distinct, condition)
        read = self._handles.expr(cast(ExprHandle, expr.handle))
        return self._jvm.make(
            f"{_EXPRESSIONS}.aggregate.AggregateExpression",
            self._function(read, expr, scope),
            read.mode(),
            read.isDistinct(),
            condition,
            read.resultId(),
        )

    def _function(self, read: Any, expr: Expr, scope: Outputs) -> Any:  # noqa: ANN401
        """Return the aggregate function that was read, over new arguments if a rule has changed them."""
        function = read.aggregateFunction()
        if all(arg.handle is not None and not arg.is_rebuilt for arg in expr.args):
            return function
        return function.withNewChildren(self._jvm.seq([self.write(arg, scope) for arg in expr.args]))

    def _window(self, expr: Expr, scope: Outputs) -> Any:  # noqa: ANN401
        function, *partition = expr.args
        over = cast(WindowSpec, expr.value)
        spec = self._jvm.make(
            f"{_EXPRESSIONS}.WindowSpecDefinition",
            self._jvm.seq([self.write(key, scope) for key in partition]),
            self._jvm.seq([self.sort_order(key) for key in over.order]),
            self._frame(over.frame),
        )
        return self._jvm.make(f"{_EXPRESSIONS}.WindowExpression", self.write(function, scope), spec)

    def _frame(self, frame: Frame) -> Any:  # noqa: ANN401
        if frame.handle is not None:
            return self._handles.expr(cast(ExprHandle, frame.handle))
        kind = "RowFrame" if frame.kind == "rows" else "RangeFrame"
        low = "UnboundedPreceding" if frame.low is None else "CurrentRow"
        high = "UnboundedFollowing" if frame.high is None else "CurrentRow"
        return self._jvm.make(
            f"{_EXPRESSIONS}.SpecifiedWindowFrame",
            *(self._jvm.singleton(f"{_EXPRESSIONS}.{name}") for name in (kind, low, high)),
        )

    def _call(self, expr: Expr, scope: Outputs) -> Any:  # noqa: ANN401
        args = [self.write(arg, scope) for arg in expr.args]
        if expr.handle is not None:
            return self._handles.expr(cast(ExprHandle, expr.handle)).withNewChildren(self._jvm.seq(args))
        if expr.name == LAMBDA:
            return self._jvm.make(f"{_EXPRESSIONS}.LambdaFunction", args[0], self._jvm.seq(args[1:]), False)
        if expr.name == LAMBDA_VARIABLE:
            return self._jvm.make(
                f"{_EXPRESSIONS}.UnresolvedNamedLambdaVariable", self._jvm.seq(str(expr.value).split("."))
            )
        if expr.name == TRY_CAST:
            return self._jvm.try_cast(args[0], expr.type)
        return self._jvm.function(expr.name, args)
