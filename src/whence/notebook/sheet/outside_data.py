"""Other datasets that formulas of a sheet look into: each is opened once, and each key column indexed once."""

from __future__ import annotations

from collections.abc import Callable

from whence.model.errors import UserError
from whence.notebook.sheet.formula.area_functions import NO_MATCH, KeyIndex
from whence.notebook.sheet.formula.errors import REF, FormulaError, error
from whence.notebook.sheet.formula.tree import Outside
from whence.notebook.sheet.source import Source, plain


class OutsideData:
    """The datasets beside the one below a sheet. `open_source` finds the version of a name that the sheet sees."""

    def __init__(self, open_source: Callable[[str], Source]) -> None:
        self._open_source = open_source
        self._sources: dict[str, Source | FormulaError] = {}
        self._indexes: dict[tuple[str, str], KeyIndex] = {}

    def source(self, name: str) -> Source | FormulaError:
        """Return a dataset, always the same version of it; an error if there is none of this name."""
        if name not in self._sources:
            try:
                self._sources[name] = self._open_source(name)
            except UserError:
                self._sources[name] = error(REF, f"There is no dataset {name}.")
        return self._sources[name]

    def column(self, node: Outside) -> tuple[Source, str] | FormulaError:
        """Return the dataset and the name of a column as the dataset spells it; an error if it has no such column."""
        source = self.source(node.dataset)
        if isinstance(source, FormulaError):
            return source
        spelled = next((name for name in source.types if name.lower() == node.column.lower()), None)
        return error(REF, f"{node.dataset} has no column {node.column}.") if spelled is None else (source, spelled)

    def type_of(self, node: Outside) -> str | None:
        """Return the type of a column; None if it does not exist."""
        found = self.column(node)
        return None if isinstance(found, FormulaError) else found[0].types[found[1]]

    def find(self, keys: Outside, wanted: object) -> int | FormulaError:
        """Return the first row whose key is the value, or NO_MATCH, or the error of a column that does not exist."""
        found = self.column(keys)
        if isinstance(found, FormulaError):
            return found
        row = self._index(*found).find(wanted)
        return NO_MATCH if row is None else row

    def value(self, keys: Outside, values: Outside, wanted: object) -> object:
        """Return what the first row that matches holds in another column; None for an empty value to look for."""
        found, row = self.column(values), self.find(keys, wanted)
        if isinstance(found, FormulaError):
            return found
        if wanted is None:
            return None
        return row if isinstance(row, FormulaError) else found[0].value(found[1], row)

    def _index(self, source: Source, column: str) -> KeyIndex:
        place = source.record.id, column
        if place not in self._indexes:
            self._indexes[place] = KeyIndex([plain(each) for each in source.column(column).to_pylist()])
        return self._indexes[place]
