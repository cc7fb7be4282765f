"""What a Python cell will read and write, told from its text; names too much, never too little."""

from __future__ import annotations

import ast
import builtins
import symtable
from dataclasses import dataclass, field

from whence.notebook.footprint import NOTHING, Footprint, Known

PRELUDE = "prelude"
"""The name under which the text of a prelude cell is handed to the cells below."""

_WORKSPACE = "ws"
_GIVEN = frozenset(dir(builtins)) | {_WORKSPACE, "display", "__file__", "__name__"}
_BLIND = frozenset({"eval", "exec", "globals", "locals", "vars", "compile", "__import__"})
"""With these a text can reach names that do not stand in it."""
_HARMLESS = frozenset({"spark"})


def predict(source: str) -> Footprint:
    """The footprint of a cell with this text."""
    try:
        tree = ast.parse(source)
        free = free_names(source)
    except (SyntaxError, ValueError, RecursionError):
        return NOTHING  # it fails before it reads anything
    uses = _Uses()
    uses.visit(tree)
    if free & _BLIND:
        return Footprint(None, None)
    reads = None if uses.reads_anything else frozenset(uses.reads) | (free - _GIVEN) | {PRELUDE}
    return Footprint(reads, None if uses.writes_anything else frozenset(uses.writes))


def free_names(source: str) -> frozenset[str]:
    """The names a text uses and does not define.

    >>> sorted(free_names("def f(x):\\n    return clean(x) + y\\ny = 1"))
    ['clean']
    """
    top = symtable.symtable(source, "<cell>", "exec")
    bound = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    bound |= {child.get_name() for child in top.get_children() if child.get_type() in ("function", "class")}
    used = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    waiting = list(top.get_children())
    while waiting:
        table = waiting.pop()
        used |= {each.get_name() for each in table.get_symbols() if each.is_global() and each.is_referenced()}
        bound |= {each.get_name() for each in table.get_symbols() if each.is_declared_global() and each.is_assigned()}
        waiting += table.get_children()
    return frozenset(used - bound)


def mentions_workspace(source: str) -> bool:
    """Whether a text speaks of `ws` at all."""
    return any(isinstance(node, ast.Name) and node.id == _WORKSPACE for node in ast.walk(ast.parse(source)))


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
        for child in (*node.args.defaults, *node.body):
            self.visit(child)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not (_is_ws(node.value) and node.attr in _HARMLESS):
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id == _WORKSPACE:  # handed on or renamed: anything may become of it
            self.reads_anything = self.writes_anything = True

    def _export(self, node: ast.Call) -> None:
        for argument in node.args:
            if isinstance(argument, ast.Name):
                self.writes.add(argument.id)
            else:
                self.writes_anything = True

    def _item(self, key: ast.expr, context: ast.expr_context) -> None:
        name: Known = frozenset({key.value}) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        if isinstance(context, ast.Load):
            self.reads |= name or frozenset()
            self.reads_anything |= name is None
        else:
            self.writes |= name or frozenset()
            self.writes_anything |= name is None


def _is_ws(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == _WORKSPACE


def _is_parameters(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "parameters" and _is_ws(node.value)


def _is_place(node: ast.expr) -> bool:
    return _is_ws(node) or _is_parameters(node)
