"""Reads expressions from the JSON form of Spark's plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from whence.engine.handles import ExprHandle
from whence.plan.expr import CAVEAT_FIELD, QUESTION_FIELDS, TRUE, Column, Expr, Frame, Kind, SortKey, WindowSpec, call

JsonNode = dict[str, Any]

_KINDS: dict[str, Kind] = {
    "And": "and",
    "Or": "or",
    "Not": "not",
    "If": "if",
    "CaseWhen": "case",
    "Coalesce": "coalesce",
}

_NOT_DETERMINISTIC = frozenset(
    {"Rand", "Randn", "Uuid", "Shuffle", "MonotonicallyIncreasingID", "SparkPartitionID", "InputFileName", "PythonUDF"}
)

# Expressions that read other rows or other plans: lineage would be wrong if it saw them as functions of arguments.
_OPAQUE = frozenset(
    {
        "ScalarSubquery",
        "Exists",
        "ListQuery",
        "InSubquery",
        "LateralSubquery",
        "OuterReference",
        "GroupingID",
        "Grouping",
        "FunctionTableSubqueryArgumentExpression",
        "Stateful",
    }
)

SESSION_MARK = "spark.sessionWindow"
"""Metadata by which Spark knows that it has to merge the spans of a column."""

_DDL_NAMES = {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint"}


def read_expr(nodes: list[JsonNode], handle: ExprHandle) -> Expr:
    """Return an expression from its nodes in pre-order."""
    return _read_node(iter(nodes), handle)


def read_sort_key(nodes: list[JsonNode], handle: ExprHandle) -> SortKey:
    """Return an ORDER BY key: Spark has a SortOrder node above the expression it sorts by."""
    return _sort_key(_read_node(iter(nodes), handle))


def _sort_key(order: Expr) -> SortKey:
    stated = json.loads(str(order.value))
    is_descending = stated["direction"]["object"].endswith("Descending$")
    return SortKey(order.args[0], order.handle, is_descending, stated["nullOrdering"]["object"].endswith("NullsFirst$"))


def type_name(data_type: object) -> str:
    """Return the DDL name of a type in Spark's JSON form; for a type with parts, the JSON text itself."""
    return _DDL_NAMES.get(data_type, data_type) if isinstance(data_type, str) else json.dumps(data_type)


def short_name(node: JsonNode) -> str:
    """Return the class name of a node without its package."""
    return str(node["class"]).rsplit(".", 1)[-1]


def column_of(node: JsonNode) -> Column:
    """Return the column that an attribute or alias defines."""
    type_text = type_name(node.get("dataType", ""))
    is_session = SESSION_MARK in node.get("metadata", {})
    is_nullable = bool(node.get("nullable", True))
    return Column(int(node["exprId"]["id"]), str(node["name"]), type_text, is_nullable, is_session)


def _read_node(nodes: Iterator[JsonNode], handle: ExprHandle) -> Expr:
    node = next(nodes)
    below = (
        ExprHandle(handle.node, handle.field, handle.index, (*handle.path, number))
        for number in range(node["num-children"])
    )
    args = tuple(_read_node(nodes, child) for child in below)
    return _make(node, args, handle)


def _make(node: JsonNode, args: tuple[Expr, ...], handle: ExprHandle) -> Expr:
    name = short_name(node)
    if name == "AttributeReference":
        column = column_of(node)
        return Expr("column", name=column.name, column=column, type=column.type, handle=handle)
    if name == "Alias":
        return Expr("alias", args, name=str(node["name"]), column=column_of(node), handle=handle)
    if name == "Literal":
        return Expr("literal", value=_value(node), type=type_name(node["dataType"]), handle=handle)
    if name == "AggregateExpression":
        return _aggregate(node, args, handle)
    if name == "WindowExpression":
        return _window(args, handle)
    if name in _OPAQUE:
        return Expr("opaque", args, name=name, value=node.get("plan"), handle=handle)
    if name == "GetStructField":
        caveat = _read_caveat(args[0], handle)
        if caveat is not None:
            return caveat
    kind = _KINDS.get(name, "call")
    return Expr(
        kind,
        args,
        name=name.lower(),
        # Fields that are not arguments tell two calls apart: the target of a cast, the pattern of a LIKE.
        value=_fields(node) if kind == "call" else None,
        type=type_name(node["dataType"]) if name == "Cast" else "",
        is_deterministic=name not in _NOT_DETERMINISTIC and node.get("udfDeterministic", True) is True,
        handle=handle,
    )


USER_FAMILY = "user"
"""The family of caveats that a query states with `caveat` or `caveat_if`."""


def _read_caveat(struct: Expr, handle: ExprHandle) -> Expr | None:
    """Return the call of `caveat` or the question that a struct of whence encodes; None for any other struct."""
    first_field = struct.args[0].value if struct.name == "createnamedstruct" and struct.args else None
    if first_field == CAVEAT_FIELD:
        parts = {str(name.value): part for name, part in zip(struct.args[::2], struct.args[1::2], strict=True)}
        condition, family = parts["if"], parts.get("family")
        if condition.kind == "and" and condition.args[1] == TRUE:  # `caveat_if` adds it so that Spark checks the type
            condition = condition.args[0]
        # A transformation says of which family its guess is, and gives no message where a note of its own says why.
        name = USER_FAMILY if family is None else str(family.value)
        return Expr(
            "caveat",
            (parts[CAVEAT_FIELD], condition),
            name=name,
            value=parts.get("why"),
            stated=(parts["low"], parts["high"]) if "low" in parts else _stated_ends(parts.get("among")),
            alternatives=parts.get("among"),
            handle=handle,
        )
    if first_field in QUESTION_FIELDS:
        return Expr("question", (struct.args[1],), name=QUESTION_FIELDS[str(first_field)], handle=handle)
    return None


def _stated_ends(alternatives: Expr | None) -> tuple[Expr, Expr] | None:
    """Return the least and the greatest of an array of values."""
    return None if alternatives is None else (call("array_min", alternatives), call("array_max", alternatives))


def _aggregate(node: JsonNode, args: tuple[Expr, ...], handle: ExprHandle) -> Expr:
    """Return an aggregate with its function's own arguments. In Spark's tree, function and FILTER are the children."""
    function, *condition = args
    is_python = function.name == "pythonudaf"
    if function.is_opaque or not (is_python or all(each.repeats for each in args)):
        return Expr("opaque", args, name=function.name, handle=handle)
    return Expr(
        "aggregate",
        function.args,
        name=function.name,
        value=function.value,
        condition=condition[0] if condition else None,
        is_distinct=bool(node["isDistinct"]),
        is_deterministic=not is_python,
        handle=handle,
    )


def _window(args: tuple[Expr, ...], handle: ExprHandle) -> Expr:
    """Return a window function. Its specification says which of its children partition, which order, and the frame."""
    function, spec = args
    places = json.loads(str(spec.value))
    partition = tuple(spec.args[number] for number in places["partitionSpec"])
    ordering = (spec.args[number] for number in places["orderSpec"])
    order = tuple(map(_sort_key, ordering))
    frame = _frame(spec.args[places["frameSpecification"]])
    return Expr("window", (function, *partition), name=function.name, value=WindowSpec(order, frame), handle=handle)


def _frame(frame: Expr) -> Frame:
    if frame.name != "specifiedwindowframe":
        return Frame("rows", None, None, text=frame.name, handle=frame.handle)
    places = json.loads(str(frame.value))
    kind: Literal["rows", "range"] = "rows" if places["frameType"]["object"].endswith("RowFrame$") else "range"
    low, high = (_bound(frame.args[places[side]]) for side in ("lower", "upper"))
    whole = isinstance(low, int | None) and isinstance(high, int | None)
    text = "" if whole else f"{low} to {high}"
    return Frame(
        kind,
        low if isinstance(low, int) else None,
        high if isinstance(high, int) else None,
        text,
        frame.handle,
    )


def _bound(expr: Expr) -> int | str | None:
    """Return a frame bound as a distance from the current row, None if unbounded, a text if it is no whole number."""
    if expr.name.startswith("unbounded"):
        return None
    if expr.name.startswith("currentrow"):
        return 0
    if expr.name == "unaryminus" and isinstance(expr.args[0].value, int):
        return -expr.args[0].value
    return expr.value if isinstance(expr.value, int) else repr(expr)


def _value(node: JsonNode) -> object:
    value = node.get("value")
    if value is None:
        return None
    if node["dataType"] in ("integer", "long", "short", "byte"):
        return int(value)
    if node["dataType"] == "boolean":
        return value in (True, "true")
    return value


def _fields(node: JsonNode) -> str:
    skipped = ("class", "num-children", "exprId", "resultId")
    return json.dumps({key: value for key, value in node.items() if key not in skipped}, sort_keys=True)
