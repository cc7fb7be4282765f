"""Parses the text of a cell; `from __future__` may stand anywhere in it, as programs are pasted below other lines."""

from __future__ import annotations

import ast


def parse_cell(text: str, filename: str = "<cell>") -> ast.Module:
    """The tree of a text, with imports from `__future__` first: Python allows them nowhere else.

    >>> ast.unparse(parse_cell("x = 1\\nfrom __future__ import annotations"))
    'from __future__ import annotations\\nx = 1'
    """
    tree = ast.parse(text, filename)
    if "__future__" in text:
        first = int(bool(tree.body) and ast.get_docstring(tree, clean=False) is not None)
        imports = [node for node in tree.body[first:] if is_future_import(node)]
        others = [node for node in tree.body[first:] if not is_future_import(node)]
        tree.body[first:] = [*imports, *others]
    return tree


def is_future_import(node: ast.stmt) -> bool:
    """Whether a statement switches on a feature of a later Python."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
