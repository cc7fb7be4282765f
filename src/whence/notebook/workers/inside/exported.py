"""Cuts a function out of a cell as text that runs on its own, with imports and the functions and constants it needs."""

from __future__ import annotations

import ast


def standing_alone(cell: str, name: str) -> str | None:
    """Return the text of a function at the top level of a cell, and of what it needs; None if there is none.

    >>> print(standing_alone("import re\\nrate = 2\\nx = load()\\ndef double(v):\\n    return v * rate", "double"))
    import re
    rate = 2
    def double(v):
        return v * rate
    """
    body = ast.parse(cell).body
    defined = {each.name: each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    if not isinstance(defined.get(name), ast.FunctionDef):
        return None
    constants = {target: each for each in body for target in _constant(each)}
    # All imports of the cell come along, whether the function uses them or not.
    wanted: set[ast.stmt] = {each for each in body if isinstance(each, ast.Import | ast.ImportFrom)}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        found = defined.get(current) or constants.get(current)
        if found is not None and found not in wanted:
            wanted.add(found)
            waiting += [node.id for node in ast.walk(found) if isinstance(node, ast.Name)]
    return "\n".join(_text(each, name) for each in body if each in wanted)


def returned_type(source: str, name: str) -> str:
    """Return the SQL type for the annotation of a function's result; `string` if there is none or it is unknown.

    >>> returned_type("def half(x: float) -> float: return x / 2", "half")
    'double'
    """
    functions = (each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef) and each.name == name)
    returns = next(functions).returns
    annotation = "str" if returns is None else ast.unparse(returns)
    return _TYPES.get(annotation.strip("'\"").removesuffix(" | None").rpartition(".")[2], "string")


_TYPES = {
    "str": "string",
    "int": "bigint",
    "float": "double",
    "bool": "boolean",
    "bytes": "binary",
    "date": "date",
    "datetime": "timestamp",
    "Decimal": "decimal(38,18)",
}


def _constant(statement: ast.stmt) -> list[str]:
    """Return the names to which a statement assigns a literal."""
    if not isinstance(statement, ast.Assign):
        return []
    try:
        ast.literal_eval(statement.value)
    except ValueError:
        return []
    return [target.id for target in statement.targets if isinstance(target, ast.Name)]


def _text(statement: ast.stmt, name: str) -> str:
    """Return the text of a statement. The exported function loses its decorators, one of which may be `ws.export`."""
    if isinstance(statement, ast.FunctionDef) and statement.name == name:
        statement.decorator_list = []
    return ast.unparse(statement)
