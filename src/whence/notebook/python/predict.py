"""Predicts from the text of a Python cell what it reads and writes. It may name too much, never too little."""

from __future__ import annotations

import ast
import builtins
import symtable

from whence.model.parse_cell import parse_cell
from whence.notebook.footprint import NOTHING, Footprint
from whence.staleness.workspace import BLIND, WORKSPACE, workspace_uses

PRELUDE = "<prelude>"
"""The name under which cells below find the text of a prelude cell. No dataset, parameter or function can have it."""

_GIVEN = frozenset(dir(builtins)) | {WORKSPACE, "display", "__file__", "__name__"}
"""Names that every cell has without defining them."""


def predict(source: str) -> Footprint:
    """Return the footprint of a cell with this text."""
    try:
        tree = ast.parse(source)
        free = free_names(source)
    except (SyntaxError, ValueError, RecursionError):
        return NOTHING  # it fails before it reads anything
    if free & BLIND:  # such as eval, with which a text can reach any name
        return Footprint(None, None)
    uses = workspace_uses([tree])
    return Footprint(None if uses.reads is None else uses.reads | (free - _GIVEN) | {PRELUDE}, uses.writes)


def free_names(source: str) -> frozenset[str]:
    """Return the names that a text uses and does not define.

    >>> sorted(free_names("def f(x):\\n    return clean(x) + y\\ny = 1"))
    ['clean']
    """
    if "__future__" in source:  # a cell may import from it anywhere, but `symtable` accepts that at the top only
        source = ast.unparse(parse_cell(source))
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
    """Whether a text uses the name `ws`."""
    return any(isinstance(node, ast.Name) and node.id == WORKSPACE for node in ast.walk(ast.parse(source)))
