"""The values of a parameters cell: reads them from its mapping or text, and writes other values into it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from whence.model.errors import UserError


def read_parameters(source: object) -> dict[str, object]:
    """Return the parameters of a cell, given as a mapping or as text.

    >>> read_parameters("least = 3\\ntown = Ulm")
    {'least': 3, 'town': 'Ulm'}
    """
    if isinstance(source, Mapping):
        return {str(name): value for name, value in source.items()}
    if not isinstance(source, str):
        raise UserError("Parameters are names with values.", 'For example: source={"least": 3}.')
    found: dict[str, object] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            name, sign, value = line.partition("=")
            if not sign or not name.strip().isidentifier():
                raise UserError(f"Line {number} of the parameters is not `name = value`: {line.strip()}")
            found[name.strip()] = read_value(value.strip())
    return found


def change_parameters(source: object, values: Mapping[str, object]) -> object:
    """Return the source of a parameters cell with other values; text stays text, with its comments.

    >>> change_parameters("# the least\\nleast = 3\\ntown = Ulm", {"least": 5, "town": "7"})
    '# the least\\nleast = 5\\ntown = "7"'
    """
    if not isinstance(source, str):
        return {**read_parameters(source), **values}
    return "\n".join(_changed_line(line, values) for line in source.splitlines())


def _changed_line(line: str, values: Mapping[str, object]) -> str:
    name = line.partition("=")[0].strip()
    if name not in values:
        return line
    value = values[name]
    # A text that reads as itself needs no quotes: `town = Ulm`.
    is_plain = (
        isinstance(value, str) and value == value.strip() != "" and value.isprintable() and read_value(value) == value
    )
    return f"{name} = {value if is_plain else json.dumps(value, ensure_ascii=False)}"


def read_value(text: str) -> object:
    """Return the value of a JSON text, or the text itself if it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text
