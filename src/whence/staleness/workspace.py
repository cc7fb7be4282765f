"""Predicts from a cell's text which names of `ws` it reads and writes: datasets, parameters, exported functions."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

WORKSPACE = "ws"
BLIND = frozenset({"eval", "exec", "globals", "locals", "vars", "compile", "__import__"})
"""Functions by which code can reach names that are not in its text."""
_HARMLESS = frozenset({"spark"})

Names = frozenset[str] | None
"""A set of names; None if it may be any name."""


@dataclass(frozen=True)
class WorkspaceUses:
    """The names of `ws` that a text may read and write; rather too many than too few."""

    reads: Names = frozenset()
    writes: Names = frozenset()


def workspace_uses(nodes: Iterable[ast.AST]) -> WorkspaceUses:
    """Return what these pieces of code may do with `ws`, on any path.

    >>> found = workspace_uses([ast.parse("if 'a' in ws:\\n    ws['b'] = ws['a']")])
    >>> sorted(found.reads), sorted(found.writes)
    (['a'], ['b'])
    """
    uses = _Uses()
    for node in nodes:
        uses.visit(node)
    reads = None if uses.reads_anything else frozenset(uses.reads)
    return WorkspaceUses(reads, None if uses.writes_anything else frozenset(uses.writes))


@dataclass
class _Uses(ast.NodeVisitor):
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    reads_anything: bool = False
    writes_anything: bool = False

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if _is_ws(node.value) or _is_parameters(node.value):
            self._item(node.slice, node.ctx)
            self.visit(node.slice)
        else:
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Subscript) and (_is_ws(node.target.value) or _is_parameters(node.target.value)):
            self._item(node.target.slice, ast.Load())
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for number, operator in enumerate(node.ops):
            if isinstance(operator, ast.In | ast.NotIn) and _is_place(sides[number + 1]):
                self._item(sides[number], ast.Load())
        for side in sides:
            if not _is_place(side):
                self.visit(side)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Attribute) and _is_ws(called.value) and called.attr in ("export", "open"):
            if called.attr == "export":
                self._export(node)
        elif isinstance(called, ast.Attribute) and _is_parameters(called.value) and called.attr == "get" and node.args:
            self._item(node.args[0], ast.Load())
        else:
            self.visit(called)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self.visit(argument)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(called, ast.Attribute) and _is_ws(called.value) and called.attr == "export":
                self.writes.add(node.name)
            else:
                self.visit(decorator)
        keyword_only = (each for each in node.args.kw_defaults if each is not None)
        for child in (*node.args.defaults, *keyword_only, *node.body):
            self.visit(child)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not (_is_ws(node.value) and node.attr in _HARMLESS):
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id == WORKSPACE:  # handed on or renamed: anything may become of it
            self.reads_anything = self.writes_anything = True

    def _export(self, node: ast.Call) -> None:
        for argument in node.args:
            if isinstance(argument, ast.Name):
                self.writes.add(argument.id)
            else:
                self.writes_anything = True

    def _item(self, key: ast.expr, context: ast.expr_context) -> None:
        name: Names = frozenset({key.value}) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        if isinstance(context, ast.Load):
            self.reads |= name or frozenset()
            self.reads_anything |= name is None
        else:
            self.writes |= name or frozenset()
            self.writes_anything |= name is None


def _is_ws(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == WORKSPACE


def _is_parameters(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "parameters" and _is_ws(node.value)


def _is_place(node: ast.expr) -> bool:
    return _is_ws(node) or _is_parameters(node)
