"""The `sheet` cell kind: applies the operations of a sheet to a dataset."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from whence.model.errors import BadInput, UserError
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.display import Stream
from whence.notebook.footprint import Footprint
from whence.notebook.sheet.apply import apply_sheet
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.operations.registry import operation


class SheetCell(CellKind):
    """Do the operations of a sheet again, over whatever the dataset holds now. Rows are found by their keys."""

    name = "sheet"
    title = "Edit as a spreadsheet"
    group = "Clean"
    parameters = (
        Parameter("source", "dataset", "the dataset to edit", is_required=True),
        Parameter("operations", "value", "what was done in the sheet, in order: a list, or JSON"),
        Parameter("name", "text", "what to call the result", is_required=True),
    )

    def check(self, values: Values) -> None:
        super().check(values)
        _operations(values)

    def footprint(self, values: Values) -> Footprint:
        return Footprint(names_in(values, "source") | _outside_names(values), names_in(values, "name"))

    def run(self, context: CellContext, values: Values) -> CellResult:
        if context.services is None:
            raise UserError("A sheet cell runs only in a notebook of a workspace.")
        source = context.dataset(values["source"])
        log = SheetLog(context.services, source, _operations(values), context.dataset)
        made = apply_sheet(log, str(values["name"]))
        # Operations that can no longer be done, such as edits of rows that are gone, do not fail the cell.
        told = tuple(Stream("stderr", f"{lost}\n") for lost in log.lost)
        return CellResult({made.name: made}, displays=told)


def _outside_names(values: Values) -> frozenset[str]:
    """Return the names of other datasets that formulas of the operations look into."""
    given = values.get("operations") or []
    try:
        return frozenset(_names_within(json.loads(given) if isinstance(given, str) else given))
    except ValueError:  # no JSON: `check` says so
        return frozenset()


def _names_within(content: object) -> Iterator[str]:
    """Yield the datasets that nodes such as ["outside", "prices", "id"] name, wherever they stand in JSON."""
    match content:
        case ["outside", str(dataset), str()]:
            yield dataset
        case list():
            for each in content:
                yield from _names_within(each)
        case dict():
            for each in content.values():
                yield from _names_within(each)


def _operations(values: Values) -> list[SheetOperation]:
    given = values.get("operations") or []
    try:
        content = json.loads(given) if isinstance(given, str) else given
        return [operation(each) for each in cast("list[Mapping[str, Any]]", content)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"The operations of the sheet cannot be read: {error}.") from error
