"""The few gestures with which Python makes Spark's own plan objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

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
_DEEPEST = 20
"""How many levels of subqueries are written out: each level comes to light when the one around it has become a join."""


@dataclass(frozen=True)
class UnfoldedPlan:
    """A plan in which subqueries are joins, and the JSON of the plans in which they still could be seen."""

    plan: Any
    plans_before: tuple[str, ...]


class Jvm:
    """Spark's classes, as far as plans need them. Everything it gives back lives in the Java process."""

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
        """A new object of this class."""
        return self._class(name)(*args)

    def singleton(self, name: str) -> Any:  # noqa: ANN401
        """A Scala object."""
        key = f"{name}$"
        if key not in self._known:
            self._known[key] = self._java.java.lang.Class.forName(key).getField("MODULE$").get(None)
        return self._known[key]

    def seq(self, items: list[Any]) -> Any:  # noqa: ANN401
        """A Scala Seq."""
        return self._seq(items) if items else self._empty

    def _seq(self, items: list[Any]) -> Any:  # noqa: ANN401
        return self._class("org.apache.spark.api.python.PythonUtils").toSeq(items)

    def some(self, value: object) -> Any:  # noqa: ANN401
        """A Scala Some."""
        return self._class("scala.Option").apply(value)

    def none(self) -> Any:  # noqa: ANN401
        """A Scala None."""
        return self._none

    def new_expr_id(self) -> Any:  # noqa: ANN401
        """An expression id nobody has."""
        return self._class(f"{_CATALYST}.expressions.NamedExpression").newExprId()

    def expr_id(self, number: int) -> Any:  # noqa: ANN401
        """The expression id of this number, as this Spark makes them."""
        return self.make(f"{_CATALYST}.expressions.ExprId", number, self.new_expr_id().jvmId())

    def function(self, name: str, args: list[Any]) -> Any:  # noqa: ANN401
        """A call of one of Spark's built-in functions."""
        identifier = self.make(f"{_CATALYST}.FunctionIdentifier", name)
        return self._functions.lookupFunction(identifier, self.seq(args))

    def literal(self, value: object, type_name: str) -> Any:  # noqa: ANN401
        """A constant; Spark reads numbers from text, because Python's do not say how wide they are."""
        if type_name == "int" and isinstance(value, int):
            return self._class(f"{_CATALYST}.expressions.Literal").create(value, self.data_type(type_name))
        if value is not None and type_name not in ("boolean", "string"):
            return self._parser.parseExpression(f"CAST('{value}' AS {type_name})")
        return self._class(f"{_CATALYST}.expressions.Literal").create(value, self.data_type(type_name))

    def null(self, data_type: Any) -> Any:  # noqa: ANN401
        """A NULL of one of Spark's types."""
        return self._class(f"{_CATALYST}.expressions.Literal").create(None, data_type)

    def alias(self, expression: Any, name: str, expr_id: Any) -> Any:  # noqa: ANN401
        """A named expression of this id."""
        empty = self.seq([])
        return self.make(f"{_CATALYST}.expressions.Alias", expression, name, expr_id, empty, self.none(), empty)

    def attribute(self, name: str, type_name: str | Any, nullable: bool, expr_id: Any) -> Any:  # noqa: ANN401
        """A column reference of this id; the type is a name or one of Spark's own."""
        empty = self._class("org.apache.spark.sql.types.Metadata").empty()
        data_type = self.data_type(type_name) if isinstance(type_name, str) else type_name
        return self.make(
            f"{_CATALYST}.expressions.AttributeReference", name, data_type, nullable, empty, expr_id, self.seq([])
        )

    def data_type(self, text: str) -> Any:  # noqa: ANN401
        """A type from its DDL name or its JSON form."""
        if text.startswith("{"):
            return self._class("org.apache.spark.sql.types.DataType").fromJson(text)
        return self._parser.parseDataType(text)

    def frame(self, plan: Any) -> DataFrame:  # noqa: ANN401
        """A DataFrame over a logical plan."""
        rows = self._class("org.apache.spark.sql.classic.Dataset").ofRows(self._spark, plan)
        return DataFrame(rows, self.session)

    def analyzed(self, plan: Any) -> Any:  # noqa: ANN401
        """The plan as Spark's analyzer completes it."""
        return self.frame(plan)._jdf.queryExecution().analyzed()

    def unfold(self, plan: Any) -> UnfoldedPlan:  # noqa: ANN401
        """The plan with WITH clauses written out where they are used, and subqueries as the joins they are.

        These are Spark's own rewritings, which its optimizer would do later; the columns keep their ids.
        """
        plan = self.make(f"{_CATALYST}.optimizer.InlineCTE", True, False, False).apply(plan)
        before: list[str] = []
        for _ in range(_DEEPEST):
            if plan.subqueriesAll().isEmpty():
                break
            given = plan
            for rule in _SUBQUERIES_TO_JOINS:
                # What one rule brings to light must be decorrelated before another may touch it.
                decorrelated = self._rewritten(plan, _DECORRELATION_RULES)
                plan = self._rewritten(decorrelated, (rule,))
                if not plan.fastEquals(decorrelated):
                    before.append(decorrelated.toJSON())
            if plan.fastEquals(given):
                break
        return UnfoldedPlan(plan, tuple(before))

    def _rewritten(self, plan: Any, rules: tuple[str, ...]) -> Any:  # noqa: ANN401
        for rule in rules:
            plan = self.singleton(f"{_CATALYST}.{rule}").apply(plan)
        return plan

    def _class(self, name: str) -> Any:  # noqa: ANN401
        """Each part of a name is a call to the Java process, so classes are looked up once."""
        if name not in self._known:
            found = self._java
            for part in name.split("."):
                found = getattr(found, part)
            self._known[name] = found
        return self._known[name]
