"""Registers the SQL functions about caveats in Spark, such as `caveat` and `bound_low`, for values of every type.

A call becomes the first field of `named_struct('__whence_caveat', value, 'if', condition, 'why', message)`; one that
states a range has the fields `low` and `high`, too; one that states alternatives, the field `among`. Our plan reader
finds the struct in the analysed plan. Spark's optimizer leaves only the value, so a caveat costs nothing in a plain
run. A question becomes a struct, too: in a plain run `has_caveat` is false, and ends of ranges are unknown. The
builders are Java, because Spark calls them while it analyses, from SQL, `expr()` and Connect alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.java_code import load_java_class
from whence.model.errors import UserError
from whence.model.schema import INTERNAL_PREFIX
from whence.plan.expr import BOUND_ENDS, CAVEAT_FIELD, HAS_CAVEAT_FIELD

_CAVEAT_TEXT = re.compile(rf"(?:named_)?struct\({CAVEAT_FIELD}, (.*?), if, .*?, why, .*?\)\.{CAVEAT_FIELD}")
_QUESTION_TEXT = re.compile(rf"(?:named_)?struct\({HAS_CAVEAT_FIELD}, (.*?), answer, false\)\.answer")
_END_TEXT = re.compile(
    rf"(?:named_)?struct\({INTERNAL_PREFIX}({'|'.join(BOUND_ENDS)}), (.*?), answer, "
    r"\(IF\(true, NULL, \2\)\)\)\.answer"
)

_MARKER = """
package whence;

import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.NullType$;

public class Marker extends scala.runtime.AbstractFunction1 {
  private final String name;
  private final java.util.List parts;
  private final Expression certain;
  private final int arity;
  private final int shown;
  private final java.util.List ends;

  public Marker(String name, java.util.List parts, Expression certain, int arity, int shown, java.util.List ends) {
    this.name = name;
    this.parts = parts;
    this.certain = certain;
    this.arity = arity;
    this.shown = shown;
    this.ends = ends;
  }

  public Object apply(Object given) {
    scala.collection.immutable.Seq args = (scala.collection.immutable.Seq) given;
    boolean hasRange = !ends.isEmpty() && args.length() == arity + 2;
    boolean hasSet = !ends.isEmpty() && args.length() == arity + 1
      && ((Expression) args.apply(arity)).dataType() instanceof org.apache.spark.sql.types.ArrayType;
    if (args.length() != arity && !hasRange && !hasSet) {
      String taken = ends.isEmpty() ? "" + arity : arity + " values, or " + (arity + 2) + " with a range";
      throw new IllegalArgumentException(name + " takes " + taken + (ends.isEmpty() ? " values" : "")
        + ", not " + args.length() + "." + (ends.isEmpty() ? "" : " Alternatives are given as one array."));
    }
    java.util.ArrayList all = new java.util.ArrayList();
    for (java.util.Iterator each = parts.iterator(); each.hasNext();) all.add(part(each.next(), args));
    for (int end = 0; hasRange && end < 2; end++) {
      all.add(ends.get(end));
      all.add(args.apply(arity + end));
    }
    if (hasSet) {
      all.add(ends.get(2));
      all.add(args.apply(arity));
    }
    CreateNamedStruct struct = new CreateNamedStruct(org.apache.spark.api.python.PythonUtils.toSeq(all));
    return new GetStructField(struct, shown, scala.Option.empty());
  }

  private Object part(Object part, scala.collection.immutable.Seq args) {
    if ("unknown".equals(part)) // a NULL of the type of the first argument, which may not be known yet
      return new If(certain, Literal.create(null, NullType$.MODULE$), (Expression) args.apply(0));
    if (!(part instanceof Integer)) return part;
    int place = ((Integer) part).intValue();
    if (place >= 0) return args.apply(place);
    return new And((Expression) args.apply(-place), certain);
  }
}
"""


def register_functions(session: SparkSession) -> None:
    """Let queries of this session, and of every session made later, call the functions."""
    java: Any = session._jvm
    catalyst = java.org.apache.spark.sql.catalyst
    builders = _builders(session)
    # The first registry is the one that sessions made later copy, the second that of this session.
    registries = (
        catalyst.analysis.FunctionRegistry.builtin(),
        session._jsparkSession.sessionState().functionRegistry(),
    )
    some = java.scala.Option.apply
    for registry in registries:
        for name, builder in builders.items():
            identifier = catalyst.FunctionIdentifier(name, some("builtin"), some("system"))
            registry.registerFunction(identifier, catalyst.expressions.ExpressionInfo("whence.Marker", name), builder)


def _builders(session: SparkSession) -> dict[str, Any]:
    java: Any = session._jvm
    gateway: Any = session.sparkContext._gateway
    (constructor,) = load_java_class(session, "Marker", _MARKER).getDeclaredConstructors()
    literal = java.org.apache.spark.sql.catalyst.expressions.Literal
    parser = session._jsparkSession.sessionState().sqlParser()

    def constant(value: object, type_name: str) -> Any:  # noqa: ANN401 - a JVM object
        return literal.create(value, parser.parseDataType(type_name))

    def listed(parts: Iterable[object]) -> Any:  # noqa: ANN401
        given = java.java.util.ArrayList()
        for part in parts:
            given.add(part)
        return given

    def builder(name: str, parts: list[Any], arity: int, shown: int, ends: tuple[Any, ...] = ()) -> Any:  # noqa: ANN401
        values = gateway.new_array(java.java.lang.Object, 6)
        given = (name, listed(parts), constant(True, "boolean"), arity, shown, listed(ends))
        for place, value in enumerate(given):
            values[place] = value
        return constructor.newInstance(values)

    true, false = constant(True, "boolean"), constant(False, "boolean")
    doubted, asked, when, why, answer = (
        constant(text, "string") for text in (CAVEAT_FIELD, HAS_CAVEAT_FIELD, "if", "why", "answer")
    )
    ends = tuple(constant(text, "string") for text in ("low", "high", "among"))
    # A number is the argument at that position. A negative one must be a condition: `x AND true` makes Spark check it.
    return {
        "caveat": builder("caveat", [doubted, 0, when, true, why, 1], 2, 0, ends),
        "caveat_if": builder("caveat_if", [doubted, 0, when, -1, why, 2], 3, 0, ends),
        "has_caveat": builder("has_caveat", [asked, 0, answer, false], 1, 1),
        **{
            name: builder(name, [constant(INTERNAL_PREFIX + name, "string"), 0, answer, "unknown"], 1, 1)
            for name in BOUND_ENDS
        },
    }


def without_caveat_structs(name: str) -> str:
    """Return the name that Spark derives for an unnamed column, without the structs that encode caveats.

    >>> without_caveat_structs("sum(named_struct(__whence_caveat, x, if, true, why, odd).__whence_caveat)")
    'sum(x)'
    """
    plain = _END_TEXT.sub(r"\1(\2)", _CAVEAT_TEXT.sub(r"\1", name))
    return _QUESTION_TEXT.sub(r"has_caveat(\1)", plain)


End = Column | str | int | float | Decimal | date | None
"""An end of a range: a value, or a column; None where nothing is known."""


def caveat(
    value: Column | str,
    message: Column | str,
    low: End = None,
    high: End = None,
    *,
    among: Column | Sequence[End] | None = None,
) -> Column:
    """The value, in doubt, with the reason; `value` is a column or its name, `message` a text or a column.

    `low` and `high` state between which values it lies; `ds.caveats.bounds` follows them through queries. `among` are
    the values that it can have instead, with None if it can be missing: bounds go from the least to the greatest.

    >>> prices = ws.create("prices", [("21 USD",), ("19",)], schema="price string").df
    >>> numbers = prices.select(whence.caveat("price", "all prices are taken for dollars"))
    >>> ws.dataset(numbers, name="numbers").caveats.marks().column("price").to_pylist()
    [True, True]
    """
    return caveat_if(value, F.lit(True), message, low, high, among=among)


def caveat_if(
    value: Column | str,
    condition: Column | str,
    message: Column | str,
    low: End = None,
    high: End = None,
    *,
    among: Column | Sequence[End] | None = None,
) -> Column:
    """The value, in doubt where the condition (a column, or SQL) holds; the message may differ from row to row.

    `low`, `high` and `among` are as in `caveat`.

    >>> from pyspark.sql import functions as F
    >>> prices = ws.create("prices", [("21 USD",), ("19",)], schema="price string").df
    >>> doubted = prices.select(whence.caveat_if("price", "price like '% USD'", F.concat("price", F.lit(" is odd"))))
    >>> ds = ws.dataset(doubted, name="doubted")
    >>> ds.caveats.marks().column("price").to_pylist(), ds.caveats.list()[0].message
    ([True, False], '21 USD is odd')
    """
    when = F.expr(condition) if isinstance(condition, str) else condition
    why = F.lit(message) if isinstance(message, str) else message
    given = [_column(value).alias(CAVEAT_FIELD), when.alias("if"), why.alias("why")]
    if among is not None:
        if low is not None or high is not None:
            raise UserError(
                "A caveat states a range or alternatives, not both.", "Leave out `among`, or `low` and `high`."
            )
        given.append((among if isinstance(among, Column) else F.array(*map(F.lit, among))).alias("among"))
    elif low is not None or high is not None:
        given += [F.lit(low).alias("low"), F.lit(high).alias("high")]
    parts = F.struct(*given)
    return _alias(parts.getField(CAVEAT_FIELD), value)


def has_caveat(value: Column | str) -> Column:
    """True where the value is in doubt.

    >>> marked = ws.create("marked", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
    >>> asked = ws.dataset(marked.df.select(whence.has_caveat("x").alias("odd")), name="asked")
    >>> asked.to_arrow().to_pylist()
    [{'odd': False}, {'odd': True}]
    """
    parts = F.struct(_column(value).alias(HAS_CAVEAT_FIELD), F.lit(False).alias("answer"))
    return parts.getField("answer")


def bound_low(value: Column | str) -> Column:
    """The least value that the value can have, given the ranges of caveats; the value itself where it is certain.

    NULL where that is not known, and in queries of which whence makes no dataset.

    >>> bins = ws.create("bins", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged", (1, 4))])
    >>> ends = ws.dataset(bins.df.select(whence.bound_low("x").alias("least"), "x"), name="ends")
    >>> ends.to_arrow().to_pylist()
    [{'least': 1, 'x': 1}, {'least': 1, 'x': 2}]
    """
    return _end("bound_low", value)


def bound_high(value: Column | str) -> Column:
    """The greatest value that the value can have, as `bound_low` gives the least.

    >>> bins = ws.create("bins", [(1,), (2,)], schema="x int", cell_caveats=[(1, "x", "smudged", (1, 4))])
    >>> ws.sql("select bound_high(x + 1) as most from bins").to_arrow().to_pylist()
    [{'most': 2}, {'most': 5}]
    """
    return _end("bound_high", value)


def _end(name: str, value: Column | str) -> Column:
    given = _column(value)
    unknown = F.when(F.lit(True), F.lit(None)).otherwise(given)
    answer = F.struct(given.alias(INTERNAL_PREFIX + name), unknown.alias("answer")).getField("answer")
    return answer.alias(f"{name}({value})") if isinstance(value, str) else answer


def _column(value: Column | str) -> Column:
    return F.col(value) if isinstance(value, str) else value


def _alias(column: Column, value: Column | str) -> Column:
    return column.alias(value) if isinstance(value, str) else column
