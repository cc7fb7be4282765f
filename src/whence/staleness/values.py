"""Reads the sources of an assigned value: its symbols, and for a literal list, tuple or dict those of each element."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from whence.staleness.frames import Columns, read_columns
from whence.staleness.paths import Key
from whence.staleness.references import References, Use, read

MAX_PARTS = 64  # a longer literal is one symbol, so that metadata stays small


@dataclass(slots=True)
class Value:
    """The symbols that a value is made from, and the parts that have sources of their own."""

    uses: list[Use]
    parts: list[tuple[Key, Value]] = field(default_factory=list)
    is_display: bool = False  # a literal list, tuple or dict: certainly a new object
    columns: Columns | None = None  # should it be a data frame: how its columns are made

    def flat(self) -> list[Use]:
        """Return the symbols of the value and of all its parts."""
        return self.uses + [use for _, part in self.parts for use in part.flat()]

    def without_indexes(self) -> Value:
        """Return the value with every subscript that a variable holds widened to the whole container.

        It stands for many iterations of a loop, in which columns may be made from one another, so `columns` is dropped.
        """
        uses = [replace(use, path=use.path.before_index()) for use in self.uses]
        return Value(uses, [(key, part.without_indexes()) for key, part in self.parts], self.is_display)


def read_value(expression: ast.expr, local: frozenset[str], into: References) -> Value:
    """Return the sources of an expression; for a literal list, tuple or dict, those of each element."""
    if isinstance(expression, ast.Lambda):
        return _read_function(expression, local, into)
    elements = _elements(expression)
    if elements is not None:
        return Value([], [(key, read_value(element, local, into)) for key, element in elements], is_display=True)
    before = len(into.uses)
    read(expression, local, into)
    return Value(into.uses[before:], columns=read_columns(expression, local))


def _read_function(expression: ast.Lambda, local: frozenset[str], into: References) -> Value:
    """Return the sources of a named lambda, which like a `def` reads only its defaults when it is made."""
    before = len(into.uses)
    for default in [*expression.args.defaults, *(default for default in expression.args.kw_defaults if default)]:
        read(default, local, into)
    return Value(into.uses[before:])


def _elements(expression: ast.expr) -> list[tuple[Key, ast.expr]] | None:
    """Return the elements of a literal list, tuple or dict with their keys; None for anything else."""
    match expression:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            if len(elements) > MAX_PARTS or any(isinstance(element, ast.Starred) for element in elements):
                return None
            return [(Key("item", position), element) for position, element in enumerate(elements)]
        case ast.Dict(keys=keys, values=values) if len(keys) <= MAX_PARTS:
            constants = [key.value for key in keys if isinstance(key, ast.Constant)]
            if len(constants) != len(keys):
                return None
            return [(Key("item", key), value) for key, value in zip(constants, values, strict=True)]
        case _:
            return None
