"""Makes Spark's own plan objects in the Java process: expressions, literals, attributes, plans, frames."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from whence.engine.java_class import java_constructor, new_java_object

_CATALYST = "org.apache.spark.sql.catalyst"

_DECORRELATION_RULES = (
    "analysis.EliminateSubqueryAliases",
    "analysis.EliminateView",
    "optimizer.PullupCorrelatedPredicates",
)
_SUBQUERIES_TO_JOINS = (
    "optimizer.RewritePredicateSubquery",
    "optimizer.RewriteCorrelatedScalarSubquery",
    "optimizer.RewriteLateralSubquery",
)
_WITHOUT_A_TABLE = "optimizer.OptimizeOneRowRelationSubquery"
"""Turns `t, LATERAL f(t.x)` into a generator over `t`, and `(select t.x + 1)` into an expression.

Without it, they would be evaluated for the distinct values of `t.x`. Variants have none, and a Python table function
would not be given the rows of its table.
"""
_PADDED_LATERAL_JOIN = re.compile(r"LateralJoin lateral-subquery.*, LeftOuter")
"""For `t LEFT JOIN LATERAL f(t.x)` the rule loses the rows for which the function makes none."""
_DEEPEST = 20
"""How many levels of nested subqueries become joins. Each pass reveals the level inside the one it has turned."""


@dataclass(frozen=True)
class UnfoldedPlan:
    """A plan in which subqueries are joins, and the JSON of the plans from before each rewriting.

    The earlier plans tell which joins were subqueries: see `Subqueries`.
    """

    plan: Any
    plans_before: tuple[str, ...]


class Jvm:
    """Constructors and helpers for Spark's classes. Every object that they return lives in the Java process."""

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self._java: Any = session._jvm
        self._spark: Any = session._jsparkSession
        self._parser: Any = self._spark.sessionState().sqlParser()
        self._known: dict[str, Any] = {}
        self._functions: Any = self._class(f"{_CATALYST}.analysis.FunctionRegistry").builtin()
        self._empty: Any = self._seq([])
        self._none: Any = self._class("scala.Option").empty()

    @property
    def spark(self) -> Any:  # noqa: ANN401
        """The session as Java knows it."""
        return self._spark

    def make(self, name: str, *args: object) -> Any:  # noqa: ANN401
        """Return a new object of a class, given by its full name."""
        return self._class(name)(*args)

    def singleton(self, name: str) -> Any:  # noqa: ANN401
        """Return a Scala singleton object, given by its full name."""
        key = f"{name}$"
        if key not in self._known:
            # Scala compiles an object to a class `Name$`, whose field MODULE$ holds the one instance.
            self._known[key] = self._java.java.lang.Class.forName(key).getField("MODULE$").get(None)
        return self._known[key]

    def seq(self, items: list[Any]) -> Any:  # noqa: ANN401
        """Return a Scala Seq of these items."""
        return self._seq(items) if items else self._empty

    def _seq(self, items: list[Any]) -> Any:  # noqa: ANN401
        return self._class("org.apache.spark.api.python.PythonUtils").toSeq(items)

    def some(self, value: object) -> Any:  # noqa: ANN401
        """Return a Scala Some of this value."""
        return self._class("scala.Option").apply(value)

    def none(self) -> Any:  # noqa: ANN401
        """Return Scala's None."""
        return self._none

    def new_expr_id(self) -> Any:  # noqa: ANN401
        """Return an unused expression id."""
        return self._class(f"{_CATALYST}.expressions.NamedExpression").newExprId()

    def expr_id(self, number: int) -> Any:  # noqa: ANN401
        """Return the expression id of this number. Its second part names this Java process, as in all its ids."""
        return self.make(f"{_CATALYST}.expressions.ExprId", number, self.new_expr_id().jvmId())

    def function(self, name: str, args: list[Any]) -> Any:  # noqa: ANN401
        """Return a call of one of Spark's built-in functions."""
        identifier = self.make(f"{_CATALYST}.FunctionIdentifier", name)
        return self._functions.lookupFunction(identifier, self.seq(args))

    def literal(self, value: object, type_name: str) -> Any:  # noqa: ANN401
        """Return a constant. Spark parses numbers from text, because a Python int does not say how wide it is."""
        if type_name == "int" and isinstance(value, int):
            return self._class(f"{_CATALYST}.expressions.Literal").create(value, self.data_type(type_name))
        if value is not None and type_name not in ("boolean", "string"):
            return self._parser.parseExpression(f"CAST('{value}' AS {type_name})")
        return self._class(f"{_CATALYST}.expressions.Literal").create(value, self.data_type(type_name))

    def try_cast(self, expression: Any, type_name: str) -> Any:  # noqa: ANN401
        """Return a cast that gives NULL where the type does not hold the value, as Spark parses one."""
        return self._parser.parseExpression(f"TRY_CAST(NULL AS {type_name})").withNewChildren(self.seq([expression]))

    def null(self, data_type: Any) -> Any:  # noqa: ANN401
        """Return a NULL of one of Spark's types."""
        return self._class(f"{_CATALYST}.expressions.Literal").create(None, data_type)

    def alias(self, expression: Any, name: str, expr_id: Any) -> Any:  # noqa: ANN401
        """Return an expression with a name and this id."""
        empty = self.seq([])
        return self.make(f"{_CATALYST}.expressions.Alias", expression, name, expr_id, empty, self.none(), empty)

    def attribute(self, name: str, type_name: str | Any, nullable: bool, expr_id: Any) -> Any:  # noqa: ANN401
        """Return a reference to the column of this id. The type is a name or an object of Spark's."""
        empty = self._class("org.apache.spark.sql.types.Metadata").empty()
        data_type = self.data_type(type_name) if isinstance(type_name, str) else type_name
        return self.make(
            f"{_CATALYST}.expressions.AttributeReference", name, data_type, nullable, empty, expr_id, self.seq([])
        )

    def data_type(self, text: str) -> Any:  # noqa: ANN401
        """Return Spark's type for a DDL name or for a type's JSON form."""
        if text.startswith("{"):
            return self._class("org.apache.spark.sql.types.DataType").fromJson(text)
        return self._parser.parseDataType(text)

    def frame(self, plan: Any) -> DataFrame:  # noqa: ANN401
        """Return a DataFrame over a logical plan."""
        rows = self._class("org.apache.spark.sql.classic.Dataset").ofRows(self._spark, plan)
        return DataFrame(rows, self.session)

    def analyzed(self, plan: Any) -> Any:  # noqa: ANN401
        """Return the plan as Spark's analyzer completes it."""
        return self.frame(plan)._jdf.queryExecution().analyzed()

    def unfold(self, plan: Any) -> UnfoldedPlan:  # noqa: ANN401
        """Return the plan with WITH clauses written out where they are used, and subqueries rewritten as joins.

        Rules of Spark's own optimizer do the rewriting, only earlier. The columns keep their ids.
        """
        plan = self.make(f"{_CATALYST}.optimizer.InlineCTE", True, False, False).apply(plan)
        before: list[str] = []
        if not plan.subqueriesAll().isEmpty() and not _PADDED_LATERAL_JOIN.search(plan.toString()):
            plan = self._rewritten(plan, (_WITHOUT_A_TABLE,))
        return UnfoldedPlan(self._with_joins(plan, before), tuple(before))

    def _with_joins(self, plan: Any, before: list[str]) -> Any:  # noqa: ANN401
        """Return the plan with joins for its subqueries, and add the plans from before each rewriting."""
        for _ in range(_DEEPEST):
            if plan.subqueriesAll().isEmpty():
                break
            given = plan
            for rule in _SUBQUERIES_TO_JOINS:
                # What one rule brings to light must be decorrelated before another may touch it.
                decorrelated = self._with_inner_joins(self._rewritten(plan, _DECORRELATION_RULES), before)
                plan = self._rewritten(decorrelated, (rule,))
                if not plan.fastEquals(decorrelated):
                    before.append(decorrelated.toJSON())
            if plan.fastEquals(given):  # what is left has no rule that makes it a join
                break
        return plan

    def _with_inner_joins(self, plan: Any, before: list[str]) -> Any:  # noqa: ANN401
        """Return the plan with joins for the EXISTS and IN that stand inside others.

        From the join that Spark's rule makes of the outer one it goes on to the inner one, which is not decorrelated.
        """
        if plan.subqueriesAll().size() < 2:
            return plan
        nested = new_java_object(self.session, java_constructor(self.session, "InnerSubqueries"), plan)
        plans = list(nested.found())
        return nested.replaced([self._with_joins(each, before) for each in plans]) if plans else plan

    def _rewritten(self, plan: Any, rules: tuple[str, ...]) -> Any:  # noqa: ANN401
        for rule in rules:
            plan = self.singleton(f"{_CATALYST}.{rule}").apply(plan)
        return plan

    def _class(self, name: str) -> Any:  # noqa: ANN401
        """Return a Java class by its full name; cached, as each part of the name costs a call to the Java process."""
        if name not in self._known:
            found = self._java
            for part in name.split("."):
                found = getattr(found, part)
            self._known[name] = found
        return self._known[name]
