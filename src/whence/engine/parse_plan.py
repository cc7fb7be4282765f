"""Reads Spark's analysed plan into steps. If one operator has no rule, there are no steps at all, but a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from whence.engine.handles import ExprHandle, NodeHandle
from whence.engine.read_expr import SESSION_MARK, JsonNode, column_of, read_expr, read_sort_key, short_name
from whence.engine.subqueries import Subqueries
from whence.plan.catalyst import Node, Unreadable
from whence.plan.collated_aggregates import check_collated_aggregates
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.dead_numbers import without_dead_numbers
from whence.plan.expr import Column, Expr, SortKey, ref
from whence.plan.step import Step
from whence.plan.steps.deciding_rows import DecidingRows
from whence.plan.steps.existence_join import existence
from whence.plan.steps.project import Project
from whence.plan.steps.registry import OPERATORS
from whence.plan.steps.scalar_subquery import ScalarSubquery

# Operators that only name or check their input: the reader returns the step below in their place. A LocalLimit always
# has a GlobalLimit above it, which has the rule.
_TRANSPARENT = frozenset({"SubqueryAlias", "View", "LocalLimit", "ResolvedHint", "PipeOperator", "SQLFunctionNode"})

_IN_WORDS = {"UnionLoop": "a recursive query", "UnionLoopRef": "a recursive query"}

_SPAN = ["start", "end"]
_END = '"end"'
"""What the JSON of a plan has in it if a column of it may be a span of time."""

_COLLATED = re.compile(r'expressions\.Collate"|"string collate ')
"""What the JSON of a plan has in it if some text is under a collation."""

ReadNested = Callable[[NodeHandle], tuple[str, Subqueries]]
"""Returns the JSON of a subquery's plan, and which of its joins were subqueries."""

ReadLists = Callable[[NodeHandle, str], list[list[list[JsonNode]]]]
"""Returns the expressions of a field that holds lists of lists, each expression as a list of nodes."""

ReadMetadata = Callable[[ExprHandle], dict[str, Any]]
"""Returns the metadata of a column, which Spark's JSON leaves out."""

ReadLeaf = Callable[[NodeHandle, tuple[Column, ...]], Step | None]
"""Returns the scan of a dataset, or None if the leaf is something else."""


@dataclass(frozen=True)
class ReadPlan:
    """A plan as steps, or the reason why it could not be read as steps."""

    plan: Step | None
    reason: str = ""
    ids: ColumnIdAllocator = field(default_factory=ColumnIdAllocator)
    """Allocates the ids of columns that rules add. The reader has already used some."""
    failure: Exception | None = None
    """The internal error because of which there is no plan; None if an operator merely has no rule."""


def parse_plan(
    text: str,
    read_leaf: ReadLeaf,
    subqueries: Subqueries,
    read_nested: ReadNested,
    read_lists: ReadLists,
    *,
    read_metadata: ReadMetadata = lambda _: {},
) -> ReadPlan:
    """Return the steps of a plan, from the text of `plan.toJSON()`: one call to Spark gives the whole tree."""
    nodes: list[JsonNode] = json.loads(text)
    reader = _Reader(
        nodes,
        read_leaf,
        subqueries,
        read_nested,
        read_lists=read_lists,
        read_metadata=read_metadata,
        may_have_spans=_END in text,
    )
    try:
        plan = without_dead_numbers(reader.read())
        if _COLLATED.search(text):
            check_collated_aggregates(plan)
        return ReadPlan(plan, ids=reader.ids)
    except Unreadable as unreadable:
        return ReadPlan(None, str(unreadable))


class _Reader:
    """Reads one plan, depth first: Spark's JSON lists the nodes in pre-order, so one iterator serves all of them."""

    def __init__(
        self,
        nodes: list[JsonNode],
        read_leaf: ReadLeaf,
        subqueries: Subqueries,
        read_nested: ReadNested,
        *,
        read_lists: ReadLists,
        read_metadata: ReadMetadata,
        may_have_spans: bool,
    ) -> None:
        self._nodes = iter(nodes)
        self._read_leaf = read_leaf
        self._subqueries = subqueries
        self._read_nested = read_nested
        self._read_lists = read_lists
        self._read_metadata = read_metadata
        self._may_have_spans = may_have_spans
        self.ids = ColumnIdAllocator()

    def read(self) -> Step:
        return self._read_node(NodeHandle(()))

    def _read_node(self, handle: NodeHandle) -> Step:
        node = next(self._nodes)
        children = tuple(self._read_node(handle.child(number)) for number in range(node["num-children"]))
        name = short_name(node)
        if name in _TRANSPARENT:
            return children[0]
        if name == "LogicalRelation":
            return self._leaf(node, handle)
        node = self._with_spans(name, self._with_lists(name, node, handle), handle)
        node = self._with_sessions(name, node, children, handle)
        read = self._with_scalars(_node(name, node, handle, self.ids))
        below = children
        if read.scalars or read.existences:
            children = (self._put_beside(children[0], read), *children[1:])
        correlated = self._subqueries.scalar(read, children)
        if correlated is not None:
            return correlated
        for kind in OPERATORS:
            step = kind.read(read, children) if kind.read_from == name else None
            if step is not None:
                if children != below and name != "Project":
                    step = _without_values(step, children[0], below[0])
                return DecidingRows(step) if self._subqueries.is_domain(step) else step
        raise Unreadable(_describe(name, node))

    def _with_lists(self, name: str, node: JsonNode, handle: NodeHandle) -> JsonNode:
        """Return the node with its grouping sets, which Spark's JSON gives as null unless each is a linked list.

        Rules of Spark that put new columns into a plan, as over a union, turn them into vectors.
        """
        if name != "Expand" or node["projections"] is not None:
            return node
        return {**node, "projections": self._read_lists(handle, "projections")}

    def _with_spans(self, name: str, node: JsonNode, handle: NodeHandle) -> JsonNode:
        """Return a group-by with the metadata of the keys that hold spans of time: those of sessions are marked."""
        if name != "Aggregate" or not any(map(_is_span, node["groupingExpressions"])):
            return node
        keys = [
            [{**key[0], "metadata": self._read_metadata(ExprHandle(handle, "groupingExpressions", (number,), ()))}]
            if _is_span(key)
            else key
            for number, key in enumerate(node["groupingExpressions"])
        ]
        return {**node, "groupingExpressions": keys}

    def _with_sessions(self, name: str, node: JsonNode, children: tuple[Step, ...], handle: NodeHandle) -> JsonNode:
        """Return a node that drops equal rows with the places of its columns that hold sessions, which Spark merges."""
        if name not in ("Distinct", "Deduplicate") or not self._may_have_spans:
            return node
        places = range(len(children[0].columns))
        metadata = (self._read_metadata(ExprHandle(handle, "output", (place,), ())) for place in places)
        sessions = [place for place, each in zip(places, metadata, strict=True) if SESSION_MARK in each]
        return {**node, "sessions": sessions} if sessions else node

    def _with_scalars(self, node: Node) -> Node:
        """Return the node with each uncorrelated subquery replaced by a column that a step below it will add."""
        scalars: list[Step] = []
        existences: list[Step] = []
        if node.name in ("Project", "Filter", "Join"):
            exprs = {
                field: tuple(expr.replace(lambda each: self._value(each, scalars, existences)) for expr in group)
                for field, group in node.exprs.items()
            }
            if node.name == "Join" and existences:
                raise Unreadable("EXISTS in the condition of a join")
            node = replace(node, exprs=exprs, scalars=tuple(scalars), existences=tuple(existences))
        for expr in node.all_exprs:
            if expr.is_opaque:
                raise Unreadable(_describe_expr(expr))
            if node.name != "Window" and any(each.kind == "window" for each in expr.walk()):
                raise Unreadable(f"a window function inside {node.name}")
        return node

    def _value(self, expr: Expr, scalars: list[Step], existences: list[Step]) -> Expr | None:
        """Return the column that replaces a subquery without outer columns; None for any other expression."""
        if expr.kind != "opaque" or expr.name not in ("ScalarSubquery", "Exists") or expr.args:
            return None
        plan = self._nested(NodeHandle((), cast(ExprHandle, expr.handle)))
        found = plan if expr.name == "ScalarSubquery" else existence(plan, self.ids)
        (scalars if found is plan else existences).append(found)
        return ref(found.columns[0])

    def _nested(self, handle: NodeHandle) -> Step:
        """Read the plan of a subquery. Its nodes come from a JSON text of its own."""
        # Not restored after an error: that ends the reading of the whole plan.
        outer = self._nodes, self._subqueries
        text, self._subqueries = self._read_nested(handle)
        self._nodes, self._may_have_spans = iter(json.loads(text)), self._may_have_spans or _END in text
        plan = self._read_node(handle)
        self._nodes, self._subqueries = outer
        return plan

    def _put_beside(self, child: Step, node: Node) -> Step:
        """Return the child with the value of each subquery as one more column."""
        child = ScalarSubquery.put_beside(child, node.existences, self.ids, always_contributes=True)
        return ScalarSubquery.put_beside(child, node.scalars, self.ids, only_decides=node.name != "Project")

    def _leaf(self, node: JsonNode, handle: NodeHandle) -> Step:
        columns = tuple(column_of(each[0]) for each in node["output"])
        step = self._read_leaf(handle, columns)
        if step is None:
            raise Unreadable("a table that is not a dataset of this workspace")
        return step


def _without_values(step: Step, with_values: Step, below: Step) -> Step:
    """Return a filter or join without the subquery values that were put beside the rows of its first input."""
    values = frozenset(with_values.columns) - frozenset(below.columns)
    return Project(step, tuple(ref(column) for column in step.columns if column not in values))


def _node(name: str, node: JsonNode, handle: NodeHandle, ids: ColumnIdAllocator) -> Node:
    exprs: dict[str, tuple[Expr, ...]] = {}
    sort_keys: dict[str, tuple[SortKey, ...]] = {}
    for name_of, value in _fields(node):
        read = list(_expressions(value, handle, name_of))
        if read and short_name(read[0][0][0]) == "SortOrder":
            sort_keys[name_of] = tuple(read_sort_key(nodes, place) for nodes, place in read)
        elif read or value == []:
            exprs[name_of] = tuple(read_expr(nodes, place) for nodes, place in read)
    return Node(name, exprs, sort_keys, {key: _plain(value) for key, value in node.items()}, ids=ids, handle=handle)


def _fields(node: JsonNode) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a node. A field that holds a Scala object also yields the object's as `field.inner`."""
    for name, value in node.items():
        yield name, value
        if isinstance(value, dict) and "product-class" in value:
            yield from ((f"{name}.{inner}", content) for inner, content in value.items())


def _expressions(field: Any, node: NodeHandle, name: str) -> Iterator[tuple[list[JsonNode], ExprHandle]]:  # noqa: ANN401
    """Yield the expressions of a field: one (its nodes in pre-order), lists of them to any depth, or none."""
    yield from _nested_expressions(field, ExprHandle(node, name, (), ()))


def _nested_expressions(field: Any, place: ExprHandle) -> Iterator[tuple[list[JsonNode], ExprHandle]]:  # noqa: ANN401
    if not isinstance(field, list) or not field:
        return
    if _is_node(field[0]):
        yield field, place
        return
    for number, inner in enumerate(field):
        yield from _nested_expressions(inner, replace(place, index=(*place.index, number)))


def _is_span(nodes: list[JsonNode]) -> bool:
    """Whether an expression is a column of structs with a start and an end."""
    kind = nodes[0].get("dataType")
    return len(nodes) == 1 and isinstance(kind, dict) and [each["name"] for each in kind.get("fields", ())] == _SPAN


def _is_node(value: object) -> bool:
    return isinstance(value, dict) and "num-children" in value


def _plain(value: object) -> object:
    """Return the short name of a Scala object, such as `LeftOuter`; anything else unchanged."""
    if isinstance(value, dict) and "object" in value:
        return str(value["object"]).rsplit(".", 1)[-1].rstrip("$")
    return value


def _describe(name: str, node: JsonNode) -> str:
    kind = _plain(node.get("joinType"))
    return f"a {kind} join" if name == "Join" else _IN_WORDS.get(name, f"the operator {name}")


def _describe_expr(expr: Expr) -> str:
    opaque = next(node for node in expr.walk() if node.kind == "opaque")
    return f"the expression {opaque.name}"
