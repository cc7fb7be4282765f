"""Tells whether rows that a program gives to Spark are written in the program itself, as constants."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

_MAKERS = {"Row", "date", "datetime", "timedelta", "Decimal", "Timestamp", "DataFrame", "bytearray", "dense", "sparse"}
"""Functions that make a value of constants, those of `Vectors` included."""
_GIVE, _LEAVE_ALONE = "createDataFrame", {"createDataFrame", "len", "print"}


class WrittenRows:
    """The text of a program, in which rows are looked for."""

    def __init__(self, program: str) -> None:
        try:
            self._tree = ast.parse("".join(linecache.getlines(program)))  # cells of Jupyter are found there, too
        except (SyntaxError, ValueError):
            self._tree = ast.Module([], [])

    def are_constants(self, line: int, variable: str | None) -> bool:
        """Whether `createDataFrame` in this line is given constants: by a variable, or in the call itself.

        False also if the program may change what the variable holds.
        """
        if variable is not None:
            return self._holds_constants(variable)
        given = list(self._given_at(line))
        return bool(given) and all(map(_is_constant, given))

    def _given_at(self, line: int) -> Iterator[ast.expr]:
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.Call) or _name_of(node.func) != _GIVE:
                continue
            if node.lineno <= line <= (node.end_lineno or node.lineno):
                yield from node.args[:1] or [each.value for each in node.keywords if each.arg == "data"]

    def _holds_constants(self, variable: str) -> bool:
        bound = [each for each in ast.walk(self._tree) if isinstance(each, ast.Assign | ast.AnnAssign)]
        values = [each.value for each in bound if any(_is(target, variable) for target in _targets(each))]
        names = [each for each in ast.walk(self._tree) if _is(each, variable)]
        stores = sum(not isinstance(each.ctx, ast.Load) for each in names if isinstance(each, ast.Name))
        is_bound_otherwise = stores != len(values) or any(_binds(each, variable) for each in ast.walk(self._tree))
        if not values or is_bound_otherwise or any(_may_change(each, variable) for each in ast.walk(self._tree)):
            return False
        return all(each is not None and _is_constant(each) for each in values)


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _is(node: ast.AST, variable: str) -> bool:
    return isinstance(node, ast.Name) and node.id == variable


def _binds(node: ast.AST, variable: str) -> bool:
    """Whether a node gives a name a value that is none of an assignment: a parameter, an import, a function."""
    if isinstance(node, ast.arg):
        return node.arg == variable
    if isinstance(node, ast.alias):
        return (node.asname or node.name) in (variable, "*")
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == variable


def _may_change(node: ast.AST, variable: str) -> bool:
    """Whether a node may change what a variable holds: an item, a method, or a function that gets it."""
    if isinstance(node, ast.Attribute | ast.Subscript):
        return _is(node.value, variable)
    if not isinstance(node, ast.Call) or _name_of(node.func) in _LEAVE_ALONE:
        return False
    return any(_is(each, variable) for each in (*node.args, *(word.value for word in node.keywords)))


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Tuple() | ast.List() | ast.Set():
            return all(map(_is_constant, node.elts))
        case ast.Dict():
            return all(each is not None and _is_constant(each) for each in (*node.keys, *node.values))
        case ast.UnaryOp():
            return _is_constant(node.operand)
        case ast.BinOp():
            return _is_constant(node.left) and _is_constant(node.right)
        case ast.Call():
            given = (*node.args, *(each.value for each in node.keywords))
            return _name_of(node.func) in _MAKERS and all(map(_is_constant, given))
        case _:
            return False
