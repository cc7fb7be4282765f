"""Aggregates over areas, such as SUM over a range of cells: each is computed once, however many formulas need it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from whence.notebook.sheet import fast
from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.evaluation.column_values import ColumnValues
from whence.notebook.sheet.evaluation.formula_cells import FormulaCells
from whence.notebook.sheet.evaluation.leaves import Leaves
from whence.notebook.sheet.evaluation.places import ReferencePositions
from whence.notebook.sheet.evaluation.single_cells import LARGE, SingleCells
from whence.notebook.sheet.evaluation.version_cache import VersionCache
from whence.notebook.sheet.formula.aggregates import AGGREGATES, conditional
from whence.notebook.sheet.formula.area_functions import AREA_FUNCTIONS, AreaFunction, Values
from whence.notebook.sheet.formula.calls import NOT_THERE
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.tree import Area
from whence.notebook.sheet.formula.vector import NotVector
from whence.notebook.sheet.running import Running
from whence.notebook.sheet.source import plain
from whence.notebook.sheet.state import SheetState

_SMALL, _CHEAP = 64, 1_000_000
"""In a sheet of at most `_CHEAP` rows, an area of more than `_SMALL` cells without formulas is read from whole columns.

In a longer sheet that takes more than `LARGE` cells, because reading the column takes time.
"""

RUNNING = frozenset({"SUM", "COUNT", "AVERAGE"})
"""Aggregates that can be read from running totals of a column."""


class Areas:
    """Computes aggregates over areas and caches them until the sheet changes; `whole` returns a whole column."""

    def __init__(
        self,
        state: SheetState,
        types: ColumnTypes,
        places: ReferencePositions,
        formulas: FormulaCells,
        leaves: Leaves,
        singles: SingleCells,
        whole: Callable[[str], ColumnValues],
    ) -> None:
        self._state = state
        self._types = types
        self._places = places
        self._formulas = formulas
        self._leaves = leaves
        self._singles = singles
        self._whole = whole
        self._answers: VersionCache[dict[tuple[object, ...], object]] = VersionCache(state, dict)

    def aggregate(self, name: str, areas: Sequence[Area], loose: Sequence[object], position: int) -> object:
        """Return an aggregate over areas and single values; the first error among them if there is one."""
        failed = next((value for value in loose if isinstance(value, FormulaError)), None)
        if failed is not None:
            return failed
        if len(areas) == 1 and not loose and len(areas[0].columns) == 1:
            return self.over_one(name, areas[0], position)
        values = list(loose)
        for area in areas:
            found = self._values(area, position)
            if isinstance(found, FormulaError):
                return found
            values += found
        return AGGREGATES[name][0](values)

    def conditional(self, name: str, tested: Area, wanted: object, values: Area, position: int) -> object:
        """Return COUNTIF, SUMIF or AVERAGEIF over two areas."""
        both = [self._values(area, position) for area in (tested, values)]
        for each in (*both, wanted):
            if isinstance(each, FormulaError):
                return each
        ends = self._places.ends(tested, position), self._places.ends(values, position)
        # By repr: 1 and TRUE are the same key of a dictionary, and different criteria.
        question = (name, tested, repr(wanted), values, *ends)
        answers = self._answers.now
        if question not in answers:
            answers[question] = conditional(name, both[0], wanted, both[1])  # type: ignore[arg-type]
        return answers[question]

    def over_areas(self, name: str, args: Sequence[Area | object], position: int) -> object:
        """Return a function such as SUMIFS or RANK of areas and single values."""
        # By repr: 1 and TRUE are the same key of a dictionary, and different criteria.
        places = [(each, self._places.ends(each, position)) if isinstance(each, Area) else repr(each) for each in args]
        question, answers = (name, *places), self._answers.now
        if question not in answers:
            answers[question] = self._compute_over_areas(AREA_FUNCTIONS[name], args, position)
        return answers[question]

    def _compute_over_areas(self, known: AreaFunction, args: Sequence[Area | object], position: int) -> object:
        given: list[object] = []
        for place, each in enumerate(args):
            found = self._argument(each, known.prepares.get(place), position) if known.is_area(place) else each
            if isinstance(found, FormulaError):
                return found
            given.append(found)
        return known.run(*given)

    def _argument(self, area: Area | object, prepare: Callable[[Values], object] | None, position: int) -> object:
        """Return the values of an area as a function needs them; what is prepared serves all formulas that read it."""
        if not isinstance(area, Area):
            return [area] if prepare is None else prepare([area])
        if prepare is None:
            return self._values(area, position)
        question, answers = (prepare, area, self._places.ends(area, position)), self._answers.now
        if question not in answers:
            values = self._values(area, position)
            answers[question] = values if isinstance(values, FormulaError) else prepare(values)
        return answers[question]

    def over_one(self, name: str, area: Area, position: int) -> object:
        """Return an aggregate over one range of one column: the usual case, and often the same for many cells."""
        ends = self._places.ends(area, position)
        (column,) = area.columns
        if ends is None or column not in self._state.shown:
            return NOT_THERE
        question, answers = (name, column, *ends), self._answers.now
        if question not in answers:
            answers[question] = self._over_stretch(name, column, *ends)
        return answers[question]

    def _over_stretch(self, name: str, column: str, first: int, last: int) -> object:
        is_long = last - first >= (LARGE if self._state.order.count > _CHEAP else _SMALL)
        is_plain = not self._state.columns[column].has_formulas
        if is_long and (is_plain or self._singles.reads_whole(column, first, last)):
            whole = self._whole(column)
            answer = whole.first_error(first, last) or self._large_aggregate(name, column, whole, first, last)
            if answer is not fast.UNKNOWN:
                return answer
        values = self._stretch(column, first, last)
        return values if isinstance(values, FormulaError) else AGGREGATES[name][0](values)

    def _large_aggregate(self, name: str, column: str, whole: ColumnValues, first: int, last: int) -> object:
        """Return an aggregate over very many rows.

        The second range from the same first row makes running totals: a formula such as `=SUM(D$1:D9)` then probably
        stands in every row in view.
        """
        start, answers = ("running", column, first), self._answers.now
        asked = answers.get(start)
        # A range down to the last row, as of a whole column, is no sign that a series of ranges follows.
        if name not in RUNNING or asked is None or last + 1 == self._state.order.count:
            answers.setdefault(start, "once")
            return fast.aggregate(name, whole.values.slice(first, last - first + 1))
        try:
            known = asked if isinstance(asked, Running) else Running(whole.values, first)
        except NotVector:
            return fast.aggregate(name, whole.values.slice(first, last - first + 1))
        answers[start] = known
        found = known.vector(name, np.array([last], dtype=np.int64))
        return found.error(0) if found.codes is not None and found.codes[0] else found.data[0].item()

    def _values(self, area: Area, position: int) -> list[object] | FormulaError:
        ends = self._places.ends(area, position)
        if ends is None or any(column not in self._state.shown for column in area.columns):
            return NOT_THERE
        values: list[object] = []
        for column in area.columns:
            found = self._stretch(column, *ends)
            if isinstance(found, FormulaError):
                return found
            values += found
        return values

    def _stretch(self, column: str, first: int, last: int) -> list[object] | FormulaError:
        """Return the values of some rows of a column, or the first error among them."""
        if last < first:
            return []
        question, answers = ("values", column, first, last), self._answers.now
        if question not in answers:
            answers[question] = self._read(column, first, last)
        return answers[question]  # type: ignore[return-value]

    def _read(self, column: str, first: int, last: int) -> list[object] | FormulaError:
        known = self._state.columns[column]
        is_whole = known.has_formulas and self._singles.reads_whole(column, first, last)
        if is_whole and not self._types.is_mixed(column):
            whole = self._whole(column)
            values = whole.values.slice(first, last - first + 1).to_pylist()
            return whole.first_error(first, last) or [plain(each) for each in values]
        found = self._leaves.at(known, np.arange(first, last + 1, dtype=np.int64))
        if known.has_formulas:
            places = self._formulas.between(column, first, last)
            if is_whole:  # a mixed column: `SingleCells.needed` left its formulas out, so they are not computed yet
                self._singles.compute((column, each) for each in places)
            for each in places:
                found[each - first] = self._singles.computed_value((column, each))
        return next((value for value in found if isinstance(value, FormulaError)), None) or found
