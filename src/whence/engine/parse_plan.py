"""Reads Spark's analyzed plan into steps; what has no rule makes the whole plan opaque, with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from whence.engine.handles import ExprHandle, NodeHandle
from whence.engine.read_expr import JsonNode, column_of, read_expr, read_sort_key, short_name
from whence.engine.subqueries import Subqueries
from whence.plan.catalyst import Node, Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.dead_numbers import without_dead_numbers
from whence.plan.expr import Column, Expr, SortKey, ref
from whence.plan.step import Step
from whence.plan.steps.deciding_rows import DecidingRows
from whence.plan.steps.existence_join import existence
from whence.plan.steps.project import Project
from whence.plan.steps.registry import OPERATORS
from whence.plan.steps.scalar_subquery import ScalarSubquery

# Operators that only name or check their input: the step below stands for them.
_TRANSPARENT = frozenset({"SubqueryAlias", "View", "LocalLimit", "ResolvedHint", "PipeOperator", "SQLFunctionNode"})

_IN_WORDS = {"UnionLoop": "a recursive query", "UnionLoopRef": "a recursive query"}

ReadNested = Callable[[NodeHandle], tuple[str, Subqueries]]
"""The JSON of a subquery's own plan, and what is known of the subqueries in it."""

ReadLists = Callable[[NodeHandle, str], list[list[list[JsonNode]]]]
"""The expressions of a field that holds lists of lists, each expression as its nodes."""

ReadLeaf = Callable[[NodeHandle, tuple[Column, ...]], Step | None]
"""The scan of one of our datasets, or None if the leaf is something else."""


@dataclass(frozen=True)
class ReadPlan:
    """A plan as steps, or the reason why it has none."""

    plan: Step | None
    reason: str = ""
    ids: ColumnIdAllocator = field(default_factory=ColumnIdAllocator)
    """Where rules get their columns from; steps that stand for one operator have used some."""
    failure: Exception | None = None
    """The internal error because of which there is no plan; None where a plan has none for want of a rule."""


def parse_plan(
    text: str, read_leaf: ReadLeaf, subqueries: Subqueries, read_nested: ReadNested, read_lists: ReadLists
) -> ReadPlan:
    """Read `plan.toJSON()`: one call to Spark for the whole tree."""
    nodes: list[JsonNode] = json.loads(text)
    reader = _Reader(nodes, read_leaf, subqueries, read_nested, read_lists)
    try:
        return ReadPlan(without_dead_numbers(reader.read()), ids=reader.ids)
    except Unreadable as unreadable:
        return ReadPlan(None, str(unreadable))


class _Reader:
    def __init__(
        self,
        nodes: list[JsonNode],
        read_leaf: ReadLeaf,
        subqueries: Subqueries,
        read_nested: ReadNested,
        read_lists: ReadLists,
    ) -> None:
        self._nodes = iter(nodes)
        self._read_leaf = read_leaf
        self._subqueries = subqueries
        self._read_nested = read_nested
        self._read_lists = read_lists
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
        read = self._with_scalars(_node(name, self._with_lists(name, node, handle), handle, self.ids))
        below = children
        if read.scalars or read.existences:
            children = (self._put_beside(children[0], read),)
        correlated = self._subqueries.scalar(read, children)
        if correlated is not None:
            return correlated
        for kind in OPERATORS:
            step = kind.read(read, children) if kind.read_from == name else None
            if step is not None:
                step = _as_before(step, below[0]) if children != below and name == "Filter" else step
                return DecidingRows(step) if self._subqueries.is_domain(step) else step
        raise Unreadable(_describe(name, node))

    def _with_lists(self, name: str, node: JsonNode, handle: NodeHandle) -> JsonNode:
        """The node with its grouping sets: Spark's JSON gives null for them unless each is a linked list.

        Rules that put new columns into a plan, as over a union, turn them into vectors.
        """
        if name != "Expand" or node["projections"] is not None:
            return node
        return {**node, "projections": self._read_lists(handle, "projections")}

    def _with_scalars(self, node: Node) -> Node:
        """The node with each scalar subquery in it as a column that a step below puts there."""
        scalars: list[Step] = []
        existences: list[Step] = []
        if node.name in ("Project", "Filter"):
            exprs = {
                field: tuple(expr.replace(lambda each: self._value(each, scalars, existences)) for expr in group)
                for field, group in node.exprs.items()
            }
            node = replace(node, exprs=exprs, scalars=tuple(scalars), existences=tuple(existences))
        for expr in node.all_exprs:
            if expr.is_opaque:
                raise Unreadable(_describe_expr(expr))
            if node.name != "Window" and any(each.kind == "window" for each in expr.walk()):
                raise Unreadable(f"a window function inside {node.name}")
        return node

    def _value(self, expr: Expr, scalars: list[Step], existences: list[Step]) -> Expr | None:
        """The column that stands for a subquery without outer columns; None for any other expression."""
        if expr.kind != "opaque" or expr.name not in ("ScalarSubquery", "Exists") or expr.args:
            return None
        plan = self._nested(NodeHandle((), cast(ExprHandle, expr.handle)))
        found = plan if expr.name == "ScalarSubquery" else existence(plan, self.ids)
        (scalars if found is plan else existences).append(found)
        return ref(found.columns[0])

    def _nested(self, handle: NodeHandle) -> Step:
        """The plan of a subquery."""
        outer = self._nodes, self._subqueries
        text, self._subqueries = self._read_nested(handle)
        self._nodes = iter(json.loads(text))
        plan = self._read_node(handle)
        self._nodes, self._subqueries = outer
        return plan

    def _put_beside(self, child: Step, node: Node) -> Step:
        """The child with the value of each subquery beside its rows."""
        child = ScalarSubquery.put_beside(child, node.existences, self.ids, always_contributes=True)
        return ScalarSubquery.put_beside(child, node.scalars, self.ids, only_decides=node.name != "Project")

    def _leaf(self, node: JsonNode, handle: NodeHandle) -> Step:
        columns = tuple(column_of(each[0]) for each in node["output"])
        step = self._read_leaf(handle, columns)
        if step is None:
            raise Unreadable("a table that is not a dataset of this workspace")
        return step


def _as_before(step: Step, below: Step) -> Step:
    """A filter shows the columns it was given, not the values of subqueries that were put beside them."""
    return Project(step, tuple(ref(column) for column in below.columns))


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
    """The fields of a node; those of a Scala object that a field holds as `field.inner`."""
    for name, value in node.items():
        yield name, value
        if isinstance(value, dict) and "product-class" in value:
            yield from ((f"{name}.{inner}", content) for inner, content in value.items())


def _expressions(field: Any, node: NodeHandle, name: str) -> Iterator[tuple[list[JsonNode], ExprHandle]]:  # noqa: ANN401
    """A field may hold one expression (its nodes in pre-order) or lists of them, to any depth; other fields none."""
    yield from _nested_expressions(field, ExprHandle(node, name, (), ()))


def _nested_expressions(field: Any, place: ExprHandle) -> Iterator[tuple[list[JsonNode], ExprHandle]]:  # noqa: ANN401
    if not isinstance(field, list) or not field:
        return
    if _is_node(field[0]):
        yield field, place
        return
    for number, inner in enumerate(field):
        yield from _nested_expressions(inner, replace(place, index=(*place.index, number)))


def _is_node(value: object) -> bool:
    return isinstance(value, dict) and "num-children" in value


def _plain(value: object) -> object:
    """A Scala object by its short name, anything else as it is."""
    if isinstance(value, dict) and "object" in value:
        return str(value["object"]).rsplit(".", 1)[-1].rstrip("$")
    return value


def _describe(name: str, node: JsonNode) -> str:
    kind = _plain(node.get("joinType"))
    return f"a {kind} join" if name == "Join" else _IN_WORDS.get(name, f"the operator {name}")


def _describe_expr(expr: Expr) -> str:
    opaque = next(node for node in expr.walk() if node.kind == "opaque")
    return f"the expression {opaque.name}"
