"""The type of a formula's values, from the types of the columns it reads, before anything is computed."""

from __future__ import annotations

from collections.abc import Callable

from whence.notebook.sheet.formula.aggregates import AGGREGATES, CONDITIONAL
from whence.notebook.sheet.formula.area_functions import AREA_FUNCTIONS
from whence.notebook.sheet.formula.branches import BRANCHES
from whence.notebook.sheet.formula.registry import FUNCTIONS
from whence.notebook.sheet.formula.tree import (
    Area,
    Binary,
    Call,
    Cell,
    Copied,
    Logical,
    Number,
    Outside,
    Stored,
    Text,
    Tree,
    Unary,
)  # fmt: skip
from whence.notebook.sheet.ladder import Kind, joined, kind_of, type_of_value

TypeOf = Callable[[Tree, str], str | None]
"""Returns the type of a column that a node of a formula names: of the sheet, of the data, or of another dataset."""


def formula_type(tree: Tree, type_of: TypeOf) -> str | None:  # noqa: C901 - a table of nodes
    """Return the type that holds every value the formula can have; None if it never has one."""
    match tree:
        case Number(value):
            return type_of_value(value)
        case Text():
            return "string"
        case Logical():
            return "boolean"
        case Cell(column, _):
            return type_of(tree, column)
        case Stored(column):
            return type_of(tree, column)
        case Copied(value):
            return formula_type(value, type_of)
        case Outside(_, column):
            return type_of(tree, column)
        case Area(columns):
            return joined(type_of(tree, column) for column in columns)
        case Unary(op, of):
            return _number([formula_type(of, type_of)]) if op != "%" else "double"
        case Binary(op, left, right):
            return _binary(op, formula_type(left, type_of), formula_type(right, type_of))
        case Call(name, args):
            return _call(name, args, type_of)
    return None


def _binary(op: str, left: str | None, right: str | None) -> str | None:
    if op == "&":
        return "string"
    if op in ("=", "<>", "<", ">", "<=", ">="):
        return "boolean"
    kinds = {_kind(left), _kind(right)}
    if kinds & {"date", "timestamp"} and op in "+-":
        if op == "-" and kinds <= {"date", "timestamp"} and left is not None and right is not None:
            return "bigint" if kinds == {"date"} else "double"
        return left if _kind(left) in ("date", "timestamp") else right
    return "double" if op in "/^" else _number([left, right])


def _kind(type_name: str | None) -> Kind | None:
    return None if type_name is None else kind_of(type_name)


def _number(types: list[str | None]) -> str:
    """Return bigint for whole numbers; everything else is computed in floating point."""
    return "bigint" if {_kind(each) for each in types} <= {"whole", "boolean", None} else "double"


def _call(name: str, args: tuple[Tree, ...], type_of: TypeOf) -> str | None:
    types = [formula_type(arg, type_of) for arg in args]
    if name in BRANCHES:
        results = [types[place] for place in BRANCHES[name].results(len(args)) if place < len(args)]
        return joined([*results, *(["boolean"] if name == "IF" and len(args) == 2 else [])])
    if name == "XLOOKUP":
        return joined(types[2:4])
    match gives := _gives(name):
        case "first":
            return _number_or_date(types[0] if types else None)
        case "same":
            return _number(types[:1])
        case "sum":
            return _number([types[-1] if name in CONDITIONAL else joined(types)])
        case "joined":
            return _number_or_date(joined(types))
    return gives


def _gives(name: str) -> str | None:
    """Return what a function says about the type of its result."""
    if name in AGGREGATES:
        return AGGREGATES[name][1]
    if name in AREA_FUNCTIONS:
        return AREA_FUNCTIONS[name].gives
    return FUNCTIONS[name].gives if name in FUNCTIONS else CONDITIONAL.get(name)


def _number_or_date(type_name: str | None) -> str | None:
    return type_name if _kind(type_name) in ("date", "timestamp") else _number([type_name])


def gives_text(tree: Tree) -> bool:
    """Return whether a formula can only give text, whatever it reads."""
    if isinstance(tree, Call):
        return _gives(tree.name) == "string"
    if isinstance(tree, Copied):
        return gives_text(tree.value)
    return isinstance(tree, Text) or (isinstance(tree, Binary) and tree.op == "&")
