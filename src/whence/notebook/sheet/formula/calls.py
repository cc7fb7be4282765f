"""Evaluates a formula for one cell, on plain values. `SheetCells` supplies what other cells hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from whence.notebook.sheet.formula import functions as f
from whence.notebook.sheet.formula.aggregates import AGGREGATES, CONDITIONAL
from whence.notebook.sheet.formula.errors import NAME, REF, VALUE, FormulaError, error
from whence.notebook.sheet.formula.functions import FUNCTIONS, SheetFunction, Value
from whence.notebook.sheet.formula.tree import (
    Area,
    Binary,
    Call,
    Cell,
    Copied,
    Logical,
    Missing,
    Number,
    Row,
    Stored,
    Text,
    Tree,
    Unary,
    Wrong,
)  # fmt: skip

Run = Callable[[int], Value]
"""A compiled formula: takes the position of a row and returns the value there."""


class SheetCells(Protocol):
    """What a formula may ask of its sheet."""

    def cell(self, column: str, row: Row, position: int) -> Value: ...

    def stored(self, column: str, position: int) -> Value: ...

    def aggregate(self, name: str, areas: Sequence[Area], loose: Sequence[Value], position: int) -> Value: ...

    def conditional(self, name: str, tested: Area, wanted: Value, values: Area, position: int) -> Value: ...


def compiled(tree: Tree, cells: SheetCells) -> Run:  # noqa: C901 - a table of nodes
    """Return the formula as a function of the position it stands at."""
    match tree:
        case Number(value) | Text(value) | Logical(value):
            return lambda _: value
        case Wrong(code, why):
            failure = FormulaError(code, why)
            return lambda _: failure
        case Missing():
            return lambda _: None
        case Cell(column, row):
            return lambda position: cells.cell(column, row, position)
        case Stored(column):
            return lambda position: cells.stored(column, position)
        case Copied(value):
            return compiled(value, cells)
        case Area():
            failure = error(VALUE, "An area stands where one value is needed.")
            return lambda _: failure
        case Unary(op, of):
            inner = compiled(of, cells)
            change = {"-": f.negative, "+": lambda value: value, "%": f.percent}[op]
            return lambda position: _unary(change, inner(position))
        case Binary(op, left, right):
            return _binary(op, compiled(left, cells), compiled(right, cells))
        case Call(name, args):
            return _call(name, args, cells)


def _unary(change: Callable[[Value], Value], value: Value) -> Value:
    return value if value is None or isinstance(value, FormulaError) else change(value)


def _binary(op: str, left: Run, right: Run) -> Run:
    def run(position: int) -> Value:
        one, other = left(position), right(position)
        if isinstance(one, FormulaError):
            return one
        if isinstance(other, FormulaError):
            return other
        if op == "&":
            return f.joined_text(one, other)
        if one is None or other is None:  # as NULL in SQL, not as zero: a price that is missing stays missing
            return None
        return f.arithmetic(op, one, other) if op in "+-*/^" else f.compared(op, one, other)

    return run


def _call(name: str, args: tuple[Tree, ...], cells: SheetCells) -> Run:
    if name in AGGREGATES:
        return _aggregate(name, args, cells)
    if name in CONDITIONAL:
        return _conditional(name, args, cells)
    runs = [compiled(arg, cells) for arg in args]
    if name == "IF" and len(args) in (2, 3):
        return _if(runs)
    if name == "IFERROR" and len(args) == 2:
        return lambda position: _if_error(runs, position)
    if name == "COALESCE" and args:
        return lambda position: next((value for run in runs if (value := run(position)) is not None), None)
    known = FUNCTIONS.get(name)
    if known is None or not known.least <= len(args) <= known.most:
        why = f"There is no function {name}." if known is None and name not in ("IF", "IFERROR") else (
            f"{name} does not take {len(args)} arguments."
        )  # fmt: skip
        failure = error(NAME if known is None and name not in ("IF", "IFERROR") else VALUE, why)
        return lambda _: failure
    return _function(known, runs)


def _function(known: SheetFunction, runs: Sequence[Run]) -> Run:
    def run(position: int) -> Value:
        values = [each(position) for each in runs]
        if not known.takes_errors:
            failed = next((value for value in values if isinstance(value, FormulaError)), None)
            if failed is not None:
                return failed
        if not known.takes_empty and any(value is None for value in values):
            return None
        return known.run(*values)

    return run


def _if(runs: Sequence[Run]) -> Run:
    def run(position: int) -> Value:
        claim = f.is_true(runs[0](position))
        if isinstance(claim, FormulaError):
            return claim
        if claim:  # an unknown condition takes the other branch, as CASE WHEN does in SQL
            return runs[1](position)
        return runs[2](position) if len(runs) == 3 else False

    return run


def _if_error(runs: Sequence[Run], position: int) -> Value:
    value = runs[0](position)
    return runs[1](position) if isinstance(value, FormulaError) else value


def _aggregate(name: str, args: tuple[Tree, ...], cells: SheetCells) -> Run:
    areas = [arg for arg in args if isinstance(arg, Area)]
    loose = [compiled(arg, cells) for arg in args if not isinstance(arg, Area)]
    if not args:
        failure = error(VALUE, f"{name} needs something to look at.")
        return lambda _: failure
    return lambda position: cells.aggregate(name, areas, [run(position) for run in loose], position)


def _conditional(name: str, args: tuple[Tree, ...], cells: SheetCells) -> Run:
    is_fine = len(args) in ((2,) if name == "COUNTIF" else (2, 3))
    tested, values = (args[0], args[2 if len(args) == 3 else 0]) if is_fine else (Missing(), Missing())
    if not isinstance(tested, Area) or not isinstance(values, Area):
        failure = error(VALUE, f"{name} needs an area and what to look for in it.")
        return lambda _: failure
    wanted = compiled(args[1], cells)
    return lambda position: cells.conditional(name, tested, wanted(position), values, position)


NOT_THERE = error(REF)
"""The value of a reference that points outside the sheet."""
