"""Finds which joins of a plan were correlated subqueries before Spark rewrote them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from whence.engine.read_expr import JsonNode, short_name
from whence.plan.catalyst import Node
from whence.plan.expr import TRUE, Column
from whence.plan.step import Step
from whence.plan.steps.scalar_subquery import ScalarSubquery


class Subqueries:
    """The subqueries of a plan, read from its JSON before Spark turned them into joins."""

    def __init__(self, before: tuple[str, ...]) -> None:
        nodes = [node for text in before for node in json.loads(text)]
        self._scalars = tuple(_scalars(nodes))
        self._domains = frozenset(_domains(nodes))

    def scalar(self, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        """Return the step for a join that adds the value of a scalar subquery to each row; None for any other node."""
        if node.name != "Join" or node.values["joinType"] not in ("LeftOuter", "LeftSingle"):
            return None
        left, right = inputs
        for scalar in self._scalars:
            if _ids(right.columns) & scalar and not _ids(left.columns) & scalar:
                condition = node.optional("condition") or TRUE
                is_checked = node.values["joinType"] == "LeftSingle"
                return ScalarSubquery(left, right, node.ids.number(), condition, is_checked)
        return None

    def is_domain(self, step: Step) -> bool:
        """Return whether a step lists the distinct values of an outer query for which Spark evaluates a subquery."""
        outputs = () if step.group_by is None else step.group_by.outputs
        return bool(outputs) and all(expr.kind == "alias" and expr.output.id in self._domains for expr in outputs)


def _ids(columns: tuple[Column, ...]) -> frozenset[int]:
    return frozenset(column.id for column in columns)


def _scalars(nodes: list[JsonNode]) -> Iterator[frozenset[int]]:
    """Yield the ids of all columns of each correlated scalar subquery."""
    for node in nodes:
        for inner in _nested_nodes(node):
            # The children of a subquery are the outer columns that it reads: one without any is not correlated.
            if short_name(inner) == "ScalarSubquery" and inner["num-children"]:
                yield frozenset(_expr_ids(inner["plan"]))


def _domains(nodes: list[JsonNode]) -> Iterator[int]:
    for node in nodes:
        for inner in (node, *_nested_nodes(node)):
            if short_name(inner) == "DomainJoin":
                yield from _expr_ids(inner["domainAttrs"])


def _nested_nodes(value: Any) -> Iterator[JsonNode]:  # noqa: ANN401 - whatever stands in a plan's JSON
    """Yield every node inside this value, at any depth."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        if isinstance(each, dict) and "class" in each:
            yield each
        yield from _nested_nodes(each)


def _expr_ids(value: Any) -> Iterator[int]:  # noqa: ANN401
    """Yield the ids of all columns that occur inside, except references to outer columns."""
    if isinstance(value, dict):
        if isinstance(value.get("exprId"), dict) and short_name(value) in ("Alias", "AttributeReference"):
            yield int(value["exprId"]["id"])
        for key, inner in value.items():
            if key != "exprId":
                yield from _expr_ids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _expr_ids(inner)
