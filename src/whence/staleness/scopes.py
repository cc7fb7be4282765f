"""Finds the names that are local to a function, and so do not refer to variables of the notebook."""

from __future__ import annotations

import ast

from whence.staleness.effects import captures
from whence.staleness.references import parameters

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def local_names(function: Function, enclosing: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the names that a function's body finds in its own or an enclosing function's scope."""
    finder = _NameFinder()
    for node in function.body if isinstance(function.body, list) else [function.body]:
        finder.visit(node)
    return ((enclosing | finder.stored) - finder.declared_global) | parameters(function.args)


def stored_names(body: list[ast.stmt]) -> frozenset[str]:
    """Return every name that a block of code may bind or delete."""
    finder = _NameFinder()
    for node in body:
        finder.visit(node)
    return frozenset(finder.stored)


class _NameFinder(ast.NodeVisitor):
    def __init__(self) -> None:
        self.stored: set[str] = set()
        self.declared_global: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.stored.add(node.id)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.stored.add(node.name)  # and not the body: the names that it binds are its own
        for decorator in node.decorator_list:
            self.visit(decorator)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Skip a lambda: the names that it binds are its own."""

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """Skip a comprehension's targets, which are its own, but not `:=` inside it, which binds outside."""
        walrus = [inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        self.stored.update(walrus)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self.visit_ListComp(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self.visit_ListComp(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.visit_ListComp(node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.stored.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.visit_Import(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self.stored.add(node.name)
        self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> None:
        self.stored.update(captures(node.pattern))
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self.declared_global.update(node.names)
