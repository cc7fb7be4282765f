"""Reads a sheet of an Excel file as a table."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whence.loading.cells import read_cells
from whence.loading.problems import Problem, cell, of_file
from whence.loading.read import Loaded
from whence.model.errors import BadInput
from whence.model.lazy_module import LazyModule

# Loaded on first use: opening a workspace needs no openpyxl.
if TYPE_CHECKING:
    import openpyxl
else:
    openpyxl = LazyModule("openpyxl")

Row = tuple[int, Sequence[object], Sequence[object]]
"""The row's number, its values, and its formulas where it has some."""


def read_excel(
    path: Path,
    sheet: str | None = None,
    header: bool | None = None,
    skip: int = 0,
    types: Mapping[str, str] | None = None,
) -> Loaded:
    """Read one sheet, the first unless one is named. Its first filled row is the header, unless `header=False`."""
    # openpyxl gives either the values or the formulas of a file, so it is opened twice.
    values, formulas = _open(path, data_only=True), _open(path, data_only=False)
    try:
        chosen = _choose_sheet(values, path, sheet)
        problems = list(_others(values, chosen, sheet))
        found = list(_rows(values, formulas, chosen, skip))
    finally:
        values.close()
        formulas.close()
    if not found:
        raise BadInput(f"The sheet {chosen} of {path} is empty.", f"There are {', '.join(values.sheetnames)}.")
    width = max(_width(row) for _, row, _ in found)
    names = [""] * width
    if header is not False:
        _, first, _ = found.pop(0)
        names = ["" if value is None else str(value) for value in (*first, *[None] * width)][:width]
    problems += _without_value(found, names)
    rows = [(*row, *[None] * width)[:width] for _, row, _ in found]
    return read_cells(
        path,
        names,
        rows,
        lines=np.array([line for line, _, _ in found], np.int64),
        problems=problems,
        types=types or {},
    )


def _open(path: Path, data_only: bool) -> openpyxl.Workbook:
    try:
        return openpyxl.load_workbook(path, read_only=True, data_only=data_only)
    except (openpyxl.utils.exceptions.InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise BadInput(f"The Excel file {path} cannot be read: {error}.", "Save it again as .xlsx.") from error


def _choose_sheet(book: openpyxl.Workbook, path: Path, sheet: str | None) -> str:
    names: list[str] = [each.title for each in book.worksheets]
    if sheet is None and names:
        return names[0]
    if sheet is None or sheet not in names:
        raise BadInput(f"The Excel file {path} has no sheet {sheet}.", f"There are {', '.join(names)}.")
    return sheet


def _others(book: openpyxl.Workbook, chosen: str, sheet: str | None) -> Iterator[Problem]:
    others = [each.title for each in book.worksheets if each.title != chosen]
    if others and sheet is None:
        what = f"The sheet {chosen} was loaded; there are also {', '.join(others)}, sheet= chooses one."
        yield of_file("other sheets", what)


def _rows(values: openpyxl.Workbook, formulas: openpyxl.Workbook, sheet: str, skip: int) -> Iterator[Row]:
    """Yield the rows that have anything in them."""
    pairs = zip(values[sheet].iter_rows(values_only=True), formulas[sheet].iter_rows(values_only=True), strict=False)
    for number, (row, written) in enumerate(pairs, start=1):
        if number > skip and any(value is not None for value in written):
            yield number, row, written


def _width(row: Sequence[object]) -> int:
    return max((n for n, value in enumerate(row, start=1) if value is not None), default=1)


def _without_value(found: Sequence[Row], names: Sequence[str]) -> Iterator[Problem]:
    for place, (line, row, written) in enumerate(found):
        for name, value, formula in zip(names, row, written, strict=False):
            if value is None and formula is not None:
                what = "is a formula whose value is not in the file; the cell is empty"
                yield cell(place, name, line, text=str(formula), kind="no value", what=what)
