"""The evaluator: computes what the cells of a sheet hold, cell by cell for a page, or a whole column at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from whence.notebook.sheet.content import Content
from whence.notebook.sheet.convert import converted
from whence.notebook.sheet.doubts import Doubts
from whence.notebook.sheet.evaluation.areas import Areas
from whence.notebook.sheet.evaluation.column_evaluator import ColumnEvaluator
from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.evaluation.column_values import ColumnValues
from whence.notebook.sheet.evaluation.conditions import Conditions
from whence.notebook.sheet.evaluation.formula_cells import FormulaCell, FormulaCells
from whence.notebook.sheet.evaluation.leaves import Leaves
from whence.notebook.sheet.evaluation.outside_lookups import OutsideLookups
from whence.notebook.sheet.evaluation.places import ReferencePositions
from whence.notebook.sheet.evaluation.single_cells import SingleCells
from whence.notebook.sheet.evaluation.stored_columns import StoredColumns
from whence.notebook.sheet.evaluation.vectors import Vectors
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.tree import Area, Outside, Row, Tree
from whence.notebook.sheet.formula.vector import evaluated
from whence.notebook.sheet.ladder import kind_of
from whence.notebook.sheet.rowset import Mask, Rows
from whence.notebook.sheet.source import Source
from whence.notebook.sheet.state import SheetColumn, SheetState


class Evaluator:
    """Computes the values of one sheet and caches them until the sheet changes.

    Single cells read large areas from whole columns, and whole columns compute cell by cell what NumPy cannot compute
    in bulk. The parts need each other, so this class makes them and connects them.
    """

    def __init__(self, state: SheetState) -> None:
        self._state = state
        self._types = ColumnTypes(state)
        self._places = ReferencePositions(state)
        self._formulas = FormulaCells(state)
        self._leaves = Leaves(state, self._types)
        self._singles = SingleCells(
            state=state,
            types=self._types,
            places=self._places,
            formulas=self._formulas,
            leaves=self._leaves,
            sheet=self,
        )
        self._areas = Areas(
            state=state,
            types=self._types,
            places=self._places,
            formulas=self._formulas,
            leaves=self._leaves,
            singles=self._singles,
            whole=lambda name: self.column_values(name),
        )
        self._columns = ColumnEvaluator(
            state=state,
            types=self._types,
            formulas=self._formulas,
            leaves=StoredColumns(state, self._types, self._leaves),
            singles=self._singles,
            # A lambda, because the vectors are made from the columns, below.
            vector=lambda tree, positions: evaluated(tree, positions, self._vectors),
        )
        self._vectors = Vectors(state, self._types, self._places, self._areas, self._columns)
        self._conditions = Conditions(state, self._types, self._singles, self._columns, self._vectors)
        self._lookups = OutsideLookups(state, self._singles)
        self.doubts = Doubts(state, self)

    @property
    def types(self) -> dict[str, str]:
        """The type of each column that is shown."""
        return self._types.all

    def content_type(self, content: Content) -> str | None:
        """Return the type of a value or a copy; None for other contents."""
        return self._types.of_content(content)

    def is_text(self, column: SheetColumn) -> bool:
        """Return whether a cleared cell of the column holds an empty text, not nothing."""
        return self._types.is_text(column)

    def trees(self, column: SheetColumn) -> list[Tree]:
        """Return the distinct formulas of a column."""
        return self._types.trees(column)

    def is_circular(self, column: str) -> bool:
        """Return whether the formulas of a column read the column itself, in other rows or through other columns."""
        return self._types.is_circular(column)

    def circle(self, column: str) -> list[str]:
        """Return the columns that a circular column reads and that read it, itself included."""
        return self._types.circle(column)

    def look_ahead(self, positions: Rows) -> None:
        """Read the data of these rows for all columns at once, before `values` asks for one column after the other."""
        self._leaves.look_ahead(positions)

    def values(self, column: str, positions: Rows) -> list[object]:
        """Return what stands at these positions, as entered or computed; a cell that failed gives its error."""
        known = self._state.columns[column]
        values = self._leaves.at(known, positions)
        if known.has_formulas:
            formulas = list(self._formulas.among(known, positions))
            self._singles.compute((column, position) for position in formulas)
            places = {position: place for place, position in enumerate(positions.tolist())}
            for position in formulas:
                values[places[position]] = self._singles.computed_value((column, position))
        return values

    def shown(self, column: str, positions: Rows) -> list[object]:
        """Return the same, converted to the type of the column."""
        type_name, values = self.types[column], self.values(column, positions)
        if self._state.columns[column].is_untouched and kind_of(type_name) not in ("timestamp", "other"):
            return values  # the data is of that type already
        return [each if isinstance(each, FormulaError) else converted(each, type_name) for each in values]

    def column_values(self, column: str) -> ColumnValues:
        """Return all values of a column."""
        return self._columns.of(column)

    def condition(self, tree: Tree) -> Mask:
        """Return at which positions a formula is true; unknown and failed count as false."""
        return self._conditions.holds(tree)

    def formulas(self, column: str) -> tuple[Rows, list[Tree]]:
        """Return the positions of all formulas of a column, sorted, and the formula at each."""
        return self._formulas.of(column)

    def ordered(self, columns: Iterable[str]) -> Iterator[tuple[list[FormulaCell], bool]]:
        """Yield the formula cells of these columns, each after those it reads.

        The cells of a cycle come as one group. The flag says whether a group is a cycle.
        """
        return self._singles.ordered(columns)

    def targets(self, row: Row, positions: Rows) -> Rows:
        """Return the position of the row that formulas at these positions refer to; -1 outside the sheet."""
        return self._places.targets(row, positions)

    def ends(self, area: Area, position: int) -> tuple[int, int] | None:
        """Return the first and last position of an area; None if it leaves the sheet."""
        return self._places.ends(area, position)

    def cell(self, column: str, row: Row, position: int) -> object:
        """Return the value of a cell that the formula at a position reads."""
        return self._singles.cell(column, row, position)

    def stored(self, column: str, position: int) -> object:
        """Return the value of the data in the row at a position, whatever was put over it."""
        return self._leaves.stored(column, position)

    def aggregate(self, name: str, areas: Sequence[Area], loose: Sequence[object], position: int) -> object:
        """Return an aggregate, such as SUM, over areas and single values."""
        return self._areas.aggregate(name, areas, loose, position)

    def conditional(self, name: str, tested: Area, wanted: object, values: Area, position: int) -> object:
        """Return COUNTIF, SUMIF or AVERAGEIF."""
        return self._areas.conditional(name, tested, wanted, values, position)

    def over_areas(self, name: str, args: Sequence[Area | object], position: int) -> object:
        """Return a function such as SUMIFS or RANK of areas and single values."""
        return self._areas.over_areas(name, args, position)

    def outside_value(self, keys: Outside, values: Outside, wanted: object) -> object:
        """Return what another dataset holds in the first row that matches."""
        return self._state.outside.value(keys, values, wanted)

    def matched_rows(self, lookup: Tree, positions: Rows) -> Rows:
        """Return which row of another dataset a lookup finds at each position, or NOT_FOUND, or NOT_SEARCHED."""
        return self._lookups.matched_rows(lookup, positions)

    def outside_sources(self) -> dict[str, Source]:
        """Return the other datasets that formulas of the sheet look into, by the names they use, where they exist."""
        found = {name: self._state.outside.source(name) for name in sorted(self._types.outside_names())}
        return {name: source for name, source in found.items() if isinstance(source, Source)}
