"""Reads Spark's analyzed plan into steps; what has no rule makes the whole plan opaque, with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from whence.engine.handles import ExprHandle, NodeHandle
from whence.engine.read_expr import JsonNode, column_of, read_expr, read_sort_key, short_name
from whence.plan.catalyst import Node, Unreadable
from whence.plan.expr import Column, Expr, SortKey
from whence.plan.step import Step
from whence.plan.steps.registry import OPERATORS

# Operators that only name or check their input: the step below stands for them.
_TRANSPARENT = frozenset({"SubqueryAlias", "View", "LocalLimit", "ResolvedHint"})

ReadLeaf = Callable[[NodeHandle, tuple[Column, ...]], Step | None]
"""The scan of one of our datasets, or None if the leaf is something else."""


@dataclass(frozen=True)
class Read:
    """A plan as steps, or the reason why it has none."""

    plan: Step | None
    reason: str = ""


def read_plan(text: str, read_leaf: ReadLeaf) -> Read:
    """Read `plan.toJSON()`: one call to Spark for the whole tree."""
    nodes: list[JsonNode] = json.loads(text)
    try:
        return Read(_Reader(nodes, read_leaf).read())
    except Unreadable as unreadable:
        return Read(None, str(unreadable))


class _Reader:
    def __init__(self, nodes: list[JsonNode], read_leaf: ReadLeaf) -> None:
        self._nodes = iter(nodes)
        self._read_leaf = read_leaf

    def read(self) -> Step:
        return self._read(NodeHandle(()))

    def _read(self, handle: NodeHandle) -> Step:
        node = next(self._nodes)
        children = tuple(self._read(NodeHandle((*handle.path, n))) for n in range(node["num-children"]))
        name = short_name(node)
        if name in _TRANSPARENT:
            return children[0]
        if name == "LogicalRelation":
            return self._leaf(node, handle)
        read = _node(name, node, handle)
        for kind in OPERATORS:
            step = kind.read(read, children) if kind.read_from == name else None
            if step is not None:
                return step
        raise Unreadable(_describe(name, node))

    def _leaf(self, node: JsonNode, handle: NodeHandle) -> Step:
        columns = tuple(column_of(each[0]) for each in node["output"])
        step = self._read_leaf(handle, columns)
        if step is None:
            raise Unreadable("a table that is not a dataset of this workspace")
        return step


def _node(name: str, node: JsonNode, handle: NodeHandle) -> Node:
    exprs: dict[str, tuple[Expr, ...]] = {}
    sort_keys: dict[str, tuple[SortKey, ...]] = {}
    for field, value in node.items():
        read = list(_expressions(value, handle, field))
        if read and short_name(read[0][0][0]) == "SortOrder":
            sort_keys[field] = tuple(read_sort_key(nodes, place) for nodes, place in read)
        elif read or value == []:
            exprs[field] = tuple(read_expr(nodes, place) for nodes, place in read)
    for expr in [
        *(each for group in exprs.values() for each in group),
        *(k.expr for g in sort_keys.values() for k in g),
    ]:
        if expr.is_opaque:
            raise Unreadable(_describe_expr(expr))
    return Node(name, exprs, sort_keys, {key: _plain(value) for key, value in node.items()}, handle)


def _expressions(field: Any, node: NodeHandle, name: str) -> Iterator[tuple[list[JsonNode], ExprHandle]]:  # noqa: ANN401
    """A field may hold one expression (its nodes in pre-order) or a list of expressions; other fields hold none."""
    if not isinstance(field, list) or not field:
        return
    if isinstance(field[0], list):
        for index, nodes in enumerate(field):
            if nodes and _is_node(nodes[0]):
                yield nodes, ExprHandle(node, name, index, ())
    elif _is_node(field[0]):
        yield field, ExprHandle(node, name, None, ())


def _is_node(value: object) -> bool:
    return isinstance(value, dict) and "num-children" in value


def _plain(value: object) -> object:
    """A Scala object by its short name, anything else as it is."""
    if isinstance(value, dict) and "object" in value:
        return str(value["object"]).rsplit(".", 1)[-1].rstrip("$")
    return value


def _describe(name: str, node: JsonNode) -> str:
    kind = _plain(node.get("joinType"))
    return f"a {kind} join" if name == "Join" else f"the operator {name}"


def _describe_expr(expr: Expr) -> str:
    opaque = next(node for node in expr.walk() if node.kind == "opaque")
    return f"the expression {opaque.name}"
