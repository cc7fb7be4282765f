"""Parses the code of a cell. `from __future__` may be anywhere in it, as users paste programs below other lines."""

from __future__ import annotations

import ast


def parse_cell(text: str, filename: str = "<cell>") -> ast.Module:
    """Return the syntax tree of a text, with imports from `__future__` first: Python allows them nowhere else.

    >>> ast.unparse(parse_cell("x = 1\\nfrom __future__ import annotations"))
    'from __future__ import annotations\\nx = 1'
    """
    tree = ast.parse(text, filename)
    if "__future__" in text:
        # Only a docstring may stand before them.
        first = int(bool(tree.body) and ast.get_docstring(tree, clean=False) is not None)
        imports = [node for node in tree.body[first:] if is_future_import(node)]
        others = [node for node in tree.body[first:] if not is_future_import(node)]
        tree.body[first:] = [*imports, *others]
    return tree


def is_future_import(node: ast.stmt) -> bool:
    """Return whether a statement is an import from `__future__`."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
