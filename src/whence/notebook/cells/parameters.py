"""The `parameters` cell kind: sets parameters that cells below read."""

from __future__ import annotations

import json
from collections.abc import Mapping

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values
from whence.notebook.footprint import Footprint


class ParametersCell(CellKind):
    """Values with names; SQL asks for one as `:name`, and `whence run --param name=value` gives it another value."""

    name = "parameters"
    title = "Parameters"
    group = "Text"
    parameters = (
        Parameter(
            "source",
            "value",
            "names with values; as text one `name = value` a line, values as in JSON",
            is_required=True,
        ),
    )

    def check(self, values: Values) -> None:
        super().check(values)
        read_parameters(values.get("source"))

    def footprint(self, values: Values) -> Footprint:
        return Footprint(frozenset(), frozenset(read_parameters(values.get("source"))))

    def run(self, context: CellContext, values: Values) -> CellResult:
        return CellResult(parameters=read_parameters(values["source"]))


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


def read_value(text: str) -> object:
    """Return the value of a JSON text, or the text itself if it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text
