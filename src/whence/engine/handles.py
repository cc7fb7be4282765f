"""Handles: paths to operators and expressions of Spark's plan, which are fetched from Java only when needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NodeHandle:
    """The path to an operator: child numbers from the top of the plan, or from the top of a subquery."""

    path: tuple[int, ...]
    subquery: ExprHandle | None = None

    def child(self, number: int) -> NodeHandle:
        """Return the handle of one of the operator's inputs."""
        return NodeHandle((*self.path, number), self.subquery)


@dataclass(frozen=True)
class ExprHandle:
    """The path to an expression: an operator's field, the position in that field, and child numbers from there."""

    node: NodeHandle
    field: str
    index: tuple[int, ...]
    path: tuple[int, ...]


class Handles:
    """Turns handles into Spark's objects, and caches them: each step of a path is a call to the Java process."""

    def __init__(self, plan: Any) -> None:  # noqa: ANN401 - a JVM object
        self._plans: dict[NodeHandle, Any] = {NodeHandle(()): plan}
        self._nodes = dict(self._plans)
        self._exprs: dict[ExprHandle, Any] = {}
        self._opened: Callable[[Any], Any] = _open_option

    def for_script(self, promise: Callable[[Any], Any], opened: Callable[[Any], Any]) -> Handles:
        """Return the same handles for a script. They give promises of the objects."""
        handles = Handles(None)
        # Only the tops of plans: the script reaches everything below them by recorded calls.
        handles._plans = {handle: promise(plan) for handle, plan in self._plans.items()}
        handles._nodes = dict(handles._plans)
        handles._opened = opened
        return handles

    def node(self, handle: NodeHandle) -> Any:  # noqa: ANN401
        """Return Spark's operator."""
        if handle in self._nodes:
            return self._nodes[handle]
        path = handle.path
        above = [NodeHandle(path[:length], handle.subquery) for length in range(len(path) + 1)]
        known = next((length for length in range(len(path), -1, -1) if above[length] in self._nodes), None)
        if known is None:
            assert handle.subquery is not None, "the top of the plan is known from the start"
            self._nodes[above[0]], known = self.expr(handle.subquery).plan(), 0
        for length in range(known, len(path)):  # no recursion: a plan may be hundreds of operators deep
            self._nodes[above[length + 1]] = self._nodes[above[length]].children().apply(path[length])
        return self._nodes[handle]

    def put(self, handle: NodeHandle, plan: Any) -> None:  # noqa: ANN401
        """Let a handle, and those below it, lead to another plan than the one that was read."""
        self._nodes[handle] = self._plans[handle] = plan

    def expr(self, handle: ExprHandle) -> Any:  # noqa: ANN401
        """Return Spark's expression, or a list of them if the handle's index ends at a list."""
        if handle not in self._exprs:
            self._exprs[handle] = self._find(handle)
        return self._exprs[handle]

    def lists(self, handle: NodeHandle, field: str) -> list[list[list[dict[str, Any]]]]:
        """Return the JSON of each expression in a field that holds lists of lists."""
        rows = self.expr(ExprHandle(handle, field, (), ()))
        return [
            [json.loads(row.apply(number).toJSON()) for number in range(row.size())]
            for row in (rows.apply(number) for number in range(rows.size()))
        ]

    def metadata(self, handle: ExprHandle) -> dict[str, Any]:
        """Return the metadata of a column, by name."""
        found: dict[str, Any] = json.loads(self.expr(handle).metadata().json())
        return found

    def _find(self, handle: ExprHandle) -> Any:  # noqa: ANN401
        if handle.path:
            parent = self.expr(ExprHandle(handle.node, handle.field, handle.index, handle.path[:-1]))
            return parent.children().apply(handle.path[-1])
        if handle.index:
            return self.expr(ExprHandle(handle.node, handle.field, handle.index[:-1], ())).apply(handle.index[-1])
        return self._opened(getattr(self.node(handle.node), handle.field)())


def _open_option(found: Any) -> Any:  # noqa: ANN401
    """Return the value inside a Scala Some; anything else unchanged."""
    return found.get() if found.getClass().getName() == "scala.Some" else found
