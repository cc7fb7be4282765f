"""Evaluates a formula for one cell, on plain values. `SheetCells` supplies what other cells hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from whence.notebook.sheet.convert import as_text
from whence.notebook.sheet.formula import functions as f
from whence.notebook.sheet.formula.aggregates import AGGREGATES, CONDITIONAL
from whence.notebook.sheet.formula.area_functions import AREA_FUNCTIONS, NO_MATCH
from whence.notebook.sheet.formula.branches import BRANCHES, Run
from whence.notebook.sheet.formula.errors import NA, NAME, REF, VALUE, FormulaError, error
from whence.notebook.sheet.formula.functions import SheetFunction, Value
from whence.notebook.sheet.formula.registry import FUNCTIONS
from whence.notebook.sheet.formula.tree import (
    Area,
    Binary,
    Call,
    Cell,
    Copied,
    Logical,
    Missing,
    Number,
    Outside,
    Row,
    Stored,
    Text,
    Tree,
    Unary,
    Wrong,
)  # fmt: skip


class SheetCells(Protocol):
    """What a formula may ask of its sheet."""

    def cell(self, column: str, row: Row, position: int) -> Value: ...

    def stored(self, column: str, position: int) -> Value: ...

    def aggregate(self, name: str, areas: Sequence[Area], loose: Sequence[Value], position: int) -> Value: ...

    def conditional(self, name: str, tested: Area, wanted: Value, values: Area, position: int) -> Value: ...

    def over_areas(self, name: str, args: Sequence[Area | Value], position: int) -> Value: ...

    def outside_value(self, keys: Outside, values: Outside, wanted: Value) -> Value: ...


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
        case Area() | Outside():
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
    known = FUNCTIONS.get(name)
    if known is not None and known.least <= len(args) <= known.most:
        return _function(known, runs)
    if name in BRANCHES and BRANCHES[name].takes(len(args)):
        branch = BRANCHES[name].run
        return lambda position: branch(runs, position)
    if name in AREA_FUNCTIONS and AREA_FUNCTIONS[name].takes(len(args)):
        return (_look_up if name == "XLOOKUP" else _over_areas)(name, args, runs, cells)
    is_known = known is not None or name in BRANCHES or name in AREA_FUNCTIONS
    failure = (
        error(VALUE, f"{name} does not take {len(args)} arguments.")
        if is_known
        else error(NAME, f"There is no function {name}.")
    )
    return lambda _: failure


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


def _over_areas(name: str, args: tuple[Tree, ...], runs: Sequence[Run], cells: SheetCells) -> Run:
    known = AREA_FUNCTIONS[name]
    areas = [arg if isinstance(arg, Area) and known.is_area(place) else None for place, arg in enumerate(args)]

    def run(position: int) -> Value:
        values = [area or runs[place](position) for place, area in enumerate(areas)]
        failed = next((value for value in values if isinstance(value, FormulaError)), None)
        return failed or cells.over_areas(name, values, position)

    return run


def _look_up(name: str, args: tuple[Tree, ...], runs: Sequence[Run], cells: SheetCells) -> Run:
    """Compile XLOOKUP: the value for the case that nothing matches is computed only then."""
    find = _finder(args, cells)
    instead = runs[3] if len(runs) == 4 else None

    def run(position: int) -> Value:
        wanted = runs[0](position)
        found = wanted if isinstance(wanted, FormulaError) else find(wanted, position)
        if found is not NO_MATCH:
            return found
        return instead(position) if instead else error(NA, f"Nothing matches {as_text(wanted)!r}.")

    return run


def _finder(args: tuple[Tree, ...], cells: SheetCells) -> Callable[[Value, int], Value]:
    """Return a search for a value: in another dataset, or in areas of the sheet itself."""
    keys, values = args[1:3]
    if isinstance(keys, Outside) and isinstance(values, Outside) and keys.dataset == values.dataset:
        return lambda wanted, _: cells.outside_value(keys, values, wanted)
    if isinstance(keys, Area | Cell) and isinstance(values, Area | Cell):
        areas = [
            each if isinstance(each, Area) else Area((each.column,), each.row, each.row) for each in (keys, values)
        ]
        if all(len(area.columns) == 1 for area in areas):
            return lambda wanted, position: cells.over_areas("XLOOKUP", [wanted, *areas], position)
    failure = error(
        VALUE, "XLOOKUP needs two columns of the sheet, or of one other dataset: prices[id], prices[price]."
    )
    return lambda *_: failure


NOT_THERE = error(REF)
"""The value of a reference that points outside the sheet."""
