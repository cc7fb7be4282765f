"""What the cells of a sheet hold: of the few that a page shows one by one, of whole columns at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet import fast
from whence.notebook.sheet.content import Blank, Content, Copy, Formula, Invalid, Value
from whence.notebook.sheet.convert import as_text, converted
from whence.notebook.sheet.doubts import Doubts
from whence.notebook.sheet.formula.aggregates import AGGREGATES, conditional
from whence.notebook.sheet.formula.calls import NOT_THERE, Run, compiled
from whence.notebook.sheet.formula.errors import CYCLE, CellError, error
from whence.notebook.sheet.formula.functions import is_true
from whence.notebook.sheet.formula.tree import Area, At, Cell, Offset, Row, Stored, Tree, walk
from whence.notebook.sheet.formula.types import TypeOf, formula_type, gives_text
from whence.notebook.sheet.formula.vector import NotVector, Vector, evaluated
from whence.notebook.sheet.graph import circular, components
from whence.notebook.sheet.ladder import arrow_type, joined, kind_of, type_of_value
from whence.notebook.sheet.rowset import Mask, Rows
from whence.notebook.sheet.running import Running, beyond, sliding
from whence.notebook.sheet.source import plain
from whence.notebook.sheet.state import Codes, SheetColumn, SheetState

_LARGE = 2_000
"""Cells beyond which an area, or a formula in many rows, is computed from whole columns."""

_SMALL, _CHEAP = 64, 1_000_000
"""The same for areas without formulas of a sheet whose columns are read in no time."""

Place = tuple[str, int]
"""A cell: the column's id and the position of the row."""


@dataclass(frozen=True)
class Whole:
    """All values of a column, by position, in the type that holds them all; where one failed it is null."""

    values: pa.Array
    errors: dict[int, CellError]


@dataclass(frozen=True)
class _Known:
    """What a column came to without its formulas, in an order and a type."""

    column: SheetColumn
    around: tuple[int, str]
    whole: Whole


class Evaluator:
    """Evaluates one sheet; what it found stays known until the sheet changes."""

    def __init__(self, state: SheetState) -> None:
        self.state = state
        self._version = -1
        self._runs: dict[Tree, Run] = {}
        self._plain: dict[str, _Known] = {}
        self._numbered: dict[str, _Known] = {}
        self._found: dict[str, tuple[object, tuple[Rows, list[Tree]]]] = {}
        self._known_trees: dict[str, tuple[int, list[Tree]]] = {}
        self.doubts = Doubts(state, self)
        self._ahead: tuple[Rows, pa.Table | None] = (np.empty(0, dtype=np.int64), None)
        self._reset()

    def _reset(self) -> None:
        self._version = self.state.version
        self._memo: dict[Place, object] = {}
        self._wholes: dict[str, Whole] = {}
        self._answers: dict[tuple[object, ...], object] = {}
        self._types: dict[str, str] | None = None
        self._circular: set[str] | None = None

    def _now(self) -> None:
        if self._version != self.state.version:
            self._reset()

    # types

    @property
    def types(self) -> dict[str, str]:
        """The type of each column that is shown."""
        self._now()
        if self._types is None:
            self._types = self._find_types()
        return self._types

    def _find_types(self) -> dict[str, str]:
        columns = [self.state.columns[column] for column in self.state.shown]
        fixed = {column.id: joined(self._fixed_types(column)) for column in columns}
        trees = {column.id: self.trees(column) for column in columns if column.has_formulas}
        found = dict(fixed)
        for _ in range(len(columns) * 8 + 1):  # each turn takes some column at least one step up the ladder
            before = dict(found)
            for column, each in trees.items():
                found[column] = joined([fixed[column], *(formula_type(tree, self._typed(before)) for tree in each)])
            if found == before:
                break
        return {column: type_name or "string" for column, type_name in found.items()}

    def _typed(self, known: Mapping[str, str | None]) -> TypeOf:
        """The type of a column as the sheet shows it, or of the data below it."""
        return lambda column, is_data: self.state.columns[column].type if is_data else known.get(column)

    def _fixed_types(self, column: SheetColumn) -> Iterator[str | None]:
        """Of what is there without computing; data that nobody sees does not count."""
        yield column.type if column.base is None or not column.hides_data else None
        for layer in column.layers:
            yield self.content_type(layer.content)
        yield from (type_name for type_name, count in column.held.items() if count)

    def is_mixed(self, column: str) -> bool:
        """Its cells are of kinds that only text can hold together; formulas see each as it was entered."""
        if kind_of(self.types[column]) not in ("text", "timestamp"):
            return False
        known = self.state.columns[column]
        types = [*self._fixed_types(known), *(None if gives_text(tree) else "" for tree in self.trees(known))]
        return any(each is not None and kind_of(each) != kind_of(self.types[column]) for each in types)

    def content_type(self, content: Content) -> str | None:
        """Of a value or a copy of one."""
        if isinstance(content, Copy):
            return self.state.source.types[content.column]
        return type_of_value(content.value) if isinstance(content, Value) else None

    def trees(self, column: SheetColumn) -> list[Tree]:
        """The different formulas of a column."""
        known = self._known_trees.get(column.id)
        if known is None or known[0] != column.version:
            known = self._known_trees[column.id] = column.version, self._find_trees(column)
        return known[1]

    def _find_trees(self, column: SheetColumn) -> list[Tree]:
        layers = (layer.content for layer in column.layers)
        cells = (entry.content for entry in column.cells.values()) if column.formulas else iter(())
        found = (each for contents in (layers, cells) for each in contents if isinstance(each, Formula))
        return list(dict.fromkeys(each.tree for each in found))

    def is_circular(self, column: str) -> bool:
        """Its formulas read, in other rows or in other columns between, the column itself."""
        self._now()
        if self._circular is None:
            shown = [self.state.columns[each] for each in self.state.shown]
            needs = {each.id: set(_columns(self.trees(each))) if each.has_formulas else set() for each in shown}
            self._circular = circular(needs)
        return column in self._circular

    # single cells

    def look_ahead(self, positions: Rows) -> None:
        """Read what these rows show of the data in one go: row groups are the cost of a page, not columns."""
        rows = self.state.order.take(positions)
        rows = rows[rows < self.state.source.rows]
        shown = (self.state.columns[column].base for column in self.state.shown)
        self._ahead = rows, self.state.source.table(rows, list(dict.fromkeys(base for base in shown if base)))

    def values(self, column: str, positions: Rows) -> list[object]:
        """What stands at these positions, as it was entered or computed; errors take the place of values."""
        self._now()
        known = self.state.columns[column]
        values = self._leaves(known, positions)
        if known.has_formulas:
            formulas = [(column, p) for p, tree in self._formulas_at(known, positions) if tree is not None]
            self._compute(formulas)
            places = {position: place for place, position in enumerate(positions.tolist())}
            for place in formulas:
                values[places[place[1]]] = self._memo[place]
        return values

    def shown(self, column: str, positions: Rows) -> list[object]:
        """The same in the type of the column."""
        type_name = self.types[column]
        return [
            each if isinstance(each, CellError) else converted(each, type_name)
            for each in self.values(column, positions)
        ]

    def _leaves(self, column: SheetColumn, positions: Rows) -> list[object]:
        """What stands there but for formulas, which are None."""
        return self._leaves_of(column, self.state.order.take(positions))

    def _leaves_of(self, column: SheetColumn, rows: Rows) -> list[object]:
        codes, contents = column.coded(rows)
        values: list[object] = [None] * len(rows)
        from_data = np.flatnonzero((codes == 0) & (rows < self.state.source.rows))
        if column.base is not None and len(from_data):
            found = self._read(column.base, rows[from_data])
            for place, value in zip(from_data.tolist(), found, strict=True):
                values[place] = plain(value)
        for place in np.flatnonzero(codes).tolist():
            values[place] = self._leaf(column, contents[codes[place] - 1])
        return values

    def _read(self, base: str, rows: Rows) -> list[object]:
        known, table = self._ahead
        if table is not None and len(known):
            order = np.argsort(known, kind="stable")
            places = order[np.searchsorted(known[order], rows).clip(max=len(known) - 1)]
            if np.array_equal(known[places], rows):
                return list(table.column(base).take(pa.array(places)).to_pylist())
        return list(self.state.source.table(rows, [base]).column(0).to_pylist())

    def _leaf(self, column: SheetColumn, content: Content) -> object:
        match content:
            case Value(value):
                return value
            case Blank():
                return "" if self._is_text(column) else None
            case Invalid(_, failure):
                return failure
            case Copy(row, base):
                return self.state.source.value(base, row)
        return None

    def _is_text(self, column: SheetColumn) -> bool:
        """It is a column of text by what it shows or was set to as a whole, whatever single cells say."""
        whole = next((layer.content for layer in reversed(column.layers) if layer.hides_data), None)
        return (column.type if whole is None else self.content_type(whole)) == "string"

    def _formulas_at(self, column: SheetColumn, positions: Rows) -> Iterator[tuple[int, Tree | None]]:
        rows = self.state.order.take(positions)
        codes, contents = column.coded(rows)
        for position, code in zip(positions.tolist(), codes.tolist(), strict=True):
            content = contents[code - 1] if code else None
            yield position, content.tree if isinstance(content, Formula) else None

    def _formula(self, place: Place) -> Tree | None:
        column = self.state.columns[place[0]]
        if not column.has_formulas:
            return None
        content = column.entry(self.state.order.row(place[1]))
        return content.tree if isinstance(content, Formula) else None

    def _compute(self, places: Iterable[Place]) -> None:
        """Work out formula cells and all formula cells they need."""
        start = [place for place in places if place not in self._memo]
        trees: dict[Place, Tree] = {}

        def needs(place: Place) -> list[Place]:
            tree = self._formula(place)
            assert tree is not None
            trees[place] = tree
            return [each for each in dict.fromkeys(self._needed(tree, place[1])) if each not in self._memo]

        for group, is_cycle in components(start, needs):
            for place in group:
                if is_cycle:
                    self._memo[place] = error(CYCLE)
                else:
                    self._memo[place] = self._run(trees[place])(place[1])

    def ordered(self, columns: Iterable[str]) -> Iterator[tuple[str, int, Tree]]:
        """The formula cells of these columns, each after those it reads; without those that depend on themselves."""
        self._now()
        wanted = dict.fromkeys(columns)
        start = [(column, position) for column in wanted for position in self.formulas(column)[0].tolist()]

        def needs(place: Place) -> list[Place]:
            tree = self._formula(place)
            assert tree is not None
            return [each for each in dict.fromkeys(self._needed(tree, place[1])) if each[0] in wanted]

        for group, is_cycle in components(start, needs):
            for column, position in () if is_cycle else group:
                tree = self._formula((column, position))
                assert tree is not None
                yield column, position, tree

    def targets(self, row: Row, positions: Rows) -> Rows:
        """Where the row of a reference is, for formulas at these positions; -1 beyond the edges."""
        if isinstance(row, Offset):
            found = positions + row.by
            return np.where((found >= 0) & (found < self.state.order.count), found, -1)
        at = self._position(row, 0)
        return np.full(len(positions), -1 if at is None else at, dtype=np.int64)

    def _run(self, tree: Tree) -> Run:
        if tree not in self._runs:
            self._runs[tree] = compiled(tree, self)
        return self._runs[tree]

    def _needed(self, tree: Tree, position: int) -> Iterator[Place]:
        """The formula cells that a formula at a position reads."""
        for node in walk(tree):
            if isinstance(node, Cell):
                row = self._position(node.row, position)
                if (
                    row is not None
                    and node.column in self.state.shown
                    and self._formula((node.column, row)) is not None
                ):
                    yield node.column, row
            elif isinstance(node, Area):
                yield from self._needed_in(node, position)

    def _needed_in(self, area: Area, position: int) -> Iterator[Place]:
        ends = self.ends(area, position)
        if ends is None:
            return
        for column in area.columns:
            if column not in self.state.shown or not self.state.columns[column].has_formulas:
                continue
            if self._reads_whole(column, *ends):
                continue
            positions, _ = self.formulas(column)
            first, last = np.searchsorted(positions, [ends[0], ends[1] + 1])
            yield from ((column, each) for each in positions[first:last].tolist())

    def _reads_whole(self, column: str, first: int, last: int) -> bool:
        return last - first >= _LARGE and not self.is_circular(column)

    def formulas(self, column: str) -> tuple[Rows, list[Tree]]:
        """The positions of all formulas of a column, in order, and the formula at each."""
        self._now()
        stamp = self.state.columns[column].version, id(self.state.order)
        known = self._found.get(column)
        if known is None or known[0] != stamp:
            known = self._found[column] = stamp, self._find_formulas(self.state.columns[column])
        return known[1]

    def _find_formulas(self, column: SheetColumn) -> tuple[Rows, list[Tree]]:
        rows = self.state.order.rows
        if not any(isinstance(layer.content, Formula) for layer in column.layers):
            numbers = [row for row, entry in column.cells.items() if isinstance(entry.content, Formula)]
            positions = self.state.order.positions(np.array(numbers, dtype=np.int64))
            positions = np.sort(positions[positions >= 0])
            rows = rows[positions]
        else:
            positions = np.arange(len(rows), dtype=np.int64)
        codes, contents = column.coded(rows)
        is_formula = np.array([False, *(isinstance(each, Formula) for each in contents)])[codes]
        chosen = codes[is_formula]
        trees = [content.tree for code in chosen.tolist() if isinstance(content := contents[code - 1], Formula)]
        return positions[is_formula], trees

    def condition(self, tree: Tree) -> Mask:
        """At which positions a formula is true; where it is unknown or fails it is not."""
        self._now()
        positions = np.arange(self.state.order.count, dtype=np.int64)
        try:
            result = evaluated(tree, positions, self)
        except NotVector:
            return self._by_distinct(tree) if self._reads_one(tree) else self._one_by_one(tree, positions)
        holds: Mask = (result.data != 0) & ~result.missing
        return holds if result.codes is None else holds & (result.codes == 0)

    def _one_by_one(self, tree: Tree, positions: Rows) -> Mask:
        self._compute({place for position in positions.tolist() for place in self._needed(tree, position)})
        run = self._run(tree)
        return np.array([is_true(run(position)) is True for position in positions.tolist()], dtype=bool)

    def _reads_one(self, tree: Tree) -> bool:
        """It reads one column of its own row and nothing else."""
        cells = [node for node in walk(tree) if isinstance(node, Cell | Area | Stored)]
        return (
            len({each.column for each in cells if isinstance(each, Cell) and each.row == Offset(0)}) == 1
            and all(isinstance(each, Cell) and each.row == Offset(0) for each in cells)
            and all(each.column in self.state.shown for each in cells if isinstance(each, Cell))
            and not any(self.is_mixed(each.column) for each in cells if isinstance(each, Cell))
        )

    def _by_distinct(self, tree: Tree) -> Mask:
        """Asked once for each different value of the column."""
        column = next(node.column for node in walk(tree) if isinstance(node, Cell))
        whole = self.whole(column)
        encoded = pc.dictionary_encode(whole.values, null_encoding="encode")
        run = compiled(tree, _Single([plain(each) for each in encoded.dictionary.to_pylist()]))
        verdicts = np.array([is_true(run(number)) is True for number in range(len(encoded.dictionary))], dtype=bool)
        holds: Mask = verdicts[encoded.indices.to_numpy()] if len(verdicts) else np.zeros(0, dtype=bool)
        holds[list(whole.errors)] = False
        return holds

    # what formulas ask

    def _position(self, row: Row, position: int) -> int | None:
        if isinstance(row, Offset):
            found = position + row.by
            return found if 0 <= found < self.state.order.count else None
        number = self.state.number(row.row)
        return None if number is None else self.state.order.position(number)

    def ends(self, area: Area, position: int) -> tuple[int, int] | None:
        """The first and the last position of an area; None if it leaves the sheet."""
        if area.first is None or area.last is None:
            return 0, self.state.order.count - 1
        first, last = self._position(area.first, position), self._position(area.last, position)
        return None if first is None or last is None else (min(first, last), max(first, last))

    def cell(self, column: str, row: Row, position: int) -> object:
        """One cell that a formula at a position reads."""
        found = self._position(row, position)
        if found is None or column not in self.state.shown:
            return NOT_THERE
        place = column, found
        if place not in self._memo:
            self._memo[place] = self._single(column, found)
        return self._memo[place]

    def _single(self, column: str, position: int) -> object:
        known = self.state.columns[column]
        row = self.state.order.row(position)
        content = known.entry(row)
        if content is not None:
            return self._leaf(known, content)
        inside = known.base is not None and row < self.state.source.rows
        return self.state.source.value(known.base, row) if inside and known.base is not None else None

    def stored(self, column: str, position: int) -> object:
        """What the data says in the row at a position."""
        row = self.state.order.row(position)
        base = self.state.columns[column].base
        return self.state.source.value(base, row) if base is not None and row < self.state.source.rows else None

    def aggregate(self, name: str, areas: Sequence[Area], loose: Sequence[object], position: int) -> object:
        """A function over areas and single values."""
        run = AGGREGATES[name][0]
        failed = next((value for value in loose if isinstance(value, CellError)), None)
        if failed is not None:
            return failed
        if len(areas) == 1 and not loose and len(areas[0].columns) == 1:
            return self._over_one(name, areas[0], position)
        values = list(loose)
        for area in areas:
            found = self._area(area, position)
            if isinstance(found, CellError):
                return found
            values += found
        return run(values)

    def _over_one(self, name: str, area: Area, position: int) -> object:
        """The usual case: one stretch of one column, which many cells may ask about."""
        ends = self.ends(area, position)
        (column,) = area.columns
        if ends is None or column not in self.state.shown:
            return NOT_THERE
        question = (name, column, *ends)
        if question not in self._answers:
            self._answers[question] = self._over_stretch(name, column, *ends)
        return self._answers[question]

    def _over_stretch(self, name: str, column: str, first: int, last: int) -> object:
        is_long = last - first >= (_LARGE if self.state.order.count > _CHEAP else _SMALL)
        if is_long and (self._reads_whole(column, first, last) or not self.state.columns[column].has_formulas):
            whole = self.whole(column)
            failed = _failed(whole.errors, first, last)
            answer = failed or self._again(name, column, whole, first, last)
            if answer is not fast.UNKNOWN:
                return answer
        values = self._stretch(column, first, last)
        return values if isinstance(values, CellError) else AGGREGATES[name][0](values)

    def _again(self, name: str, column: str, whole: Whole, first: int, last: int) -> object:
        """An aggregate over very many rows; who asks twice from the same row on will ask for every row in view."""
        start = ("running", column, first)
        asked = self._answers.get(start)
        if name not in RUNNING or asked is None or last + 1 == self.state.order.count:
            self._answers.setdefault(start, "once")
            return fast.aggregate(name, whole.values.slice(first, last - first + 1))
        try:
            known = asked if isinstance(asked, Running) else Running(whole.values, first)
        except NotVector:
            return fast.aggregate(name, whole.values.slice(first, last - first + 1))
        self._answers[start] = known
        found = known.vector(name, np.array([last], dtype=np.int64))
        return found.error(0) if found.codes is not None and found.codes[0] else found.data[0].item()

    def conditional(self, name: str, tested: Area, wanted: object, values: Area, position: int) -> object:
        """COUNTIF and the like."""
        whole = [self._area(area, position) for area in (tested, values)]
        for each in whole:
            if isinstance(each, CellError):
                return each
        if isinstance(wanted, CellError):
            return wanted
        question = (name, tested, repr(wanted), values, self.ends(tested, position), self.ends(values, position))
        if question not in self._answers:
            self._answers[question] = conditional(name, whole[0], wanted, whole[1])  # type: ignore[arg-type]
        return self._answers[question]

    def _area(self, area: Area, position: int) -> list[object] | CellError:
        ends = self.ends(area, position)
        if ends is None or any(column not in self.state.shown for column in area.columns):
            return NOT_THERE
        values: list[object] = []
        for column in area.columns:
            found = self._stretch(column, *ends)
            if isinstance(found, CellError):
                return found
            values += found
        return values

    def _stretch(self, column: str, first: int, last: int) -> list[object] | CellError:
        """The values of some rows of a column; the first error if there is one."""
        question = ("values", column, first, last)
        if question in self._answers:
            return self._answers[question]  # type: ignore[return-value]
        if last < first:
            return []
        known = self.state.columns[column]
        if known.has_formulas and self._reads_whole(column, first, last) and not self.is_mixed(column):
            whole = self.whole(column)
            failed = _failed(whole.errors, first, last)
            values = [plain(each) for each in whole.values.slice(first, last - first + 1).to_pylist()]
        else:
            values = self._leaves(known, np.arange(first, last + 1, dtype=np.int64))
            if known.has_formulas:
                positions, _ = self.formulas(column)
                low, high = np.searchsorted(positions, [first, last + 1])
                if self._reads_whole(column, first, last):  # nobody has asked for them one by one
                    self._compute((column, each) for each in positions[low:high].tolist())
                for each in positions[low:high].tolist():
                    values[each - first] = self._memo[column, each]
            failed = next((value for value in values if isinstance(value, CellError)), None)
        self._answers[question] = failed or values
        return failed or values

    # whole columns

    def whole(self, column: str) -> Whole:
        """All values of a column."""
        self._now()
        if column not in self._wholes:
            known = self.state.columns[column]
            leaves = self._whole_leaves(known)
            self._wholes[column] = self._with_formulas(known, leaves) if known.has_formulas else leaves
        return self._wholes[column]

    def _whole_leaves(self, column: SheetColumn) -> Whole:
        """Without formulas a column changes only when it, its type or the order does."""
        around = id(self.state.order), self.types[column.id]
        known = self._plain.get(column.id)
        if known is None or known.around != around or known.column.version != column.version:
            whole = None if known is None or known.around != around else self._patched(known, column)
            known = self._plain[column.id] = _Known(column, around, whole or self._make_leaves(column))
        return known.whole

    def _patched(self, known: _Known, column: SheetColumn) -> Whole | None:
        """The leaves of a column of which only few cells have changed since, either way; None if more have."""
        rows = _between(known.column, column)
        if rows is None:
            return None
        positions = self.state.order.positions(np.array(rows, dtype=np.int64))
        positions = np.unique(positions[positions >= 0])
        return self._replaced(known.whole, column, self.state.order.take(positions), positions)

    def _replaced(self, whole: Whole, column: SheetColumn, rows: Rows, places: Rows | None = None) -> Whole:
        """With the cells of these rows looked at again, which stand at these places."""
        at = rows if places is None else places
        if not len(at):
            return whole
        found = self._leaves_of(column, rows)
        again = set(at.tolist())
        errors = {place: failure for place, failure in whole.errors.items() if place not in again}
        pairs = zip(at.tolist(), found, strict=True)
        errors |= {place: leaf for place, leaf in pairs if isinstance(leaf, CellError)}
        type_name = self.types[column.id]
        typed = [None if isinstance(leaf, CellError) else converted(leaf, type_name) for leaf in found]
        mask = np.zeros(len(whole.values), dtype=bool)
        mask[at] = True
        return Whole(pc.replace_with_mask(whole.values, mask, pa.array(typed, whole.values.type)), errors)

    def _make_leaves(self, column: SheetColumn) -> Whole:
        order = self.state.order
        if order.is_plain and column.is_untouched:
            return self._of_rows(column)
        found = self._by_row(column)
        if order.is_plain:
            return found
        places = order.positions(np.fromiter(found.errors, dtype=np.int64, count=len(found.errors)))
        errors = {place: each for place, each in zip(places.tolist(), found.errors.values(), strict=True) if place >= 0}
        return Whole(found.values.take(pa.array(order.rows)), errors)

    def _by_row(self, column: SheetColumn) -> Whole:
        """The leaves of a column by row number, so that another order does not mean to look at every edit again."""
        around = self.state.rows, self.types[column.id]
        known = self._numbered.get(column.id)
        if known is None or known.around != around or known.column.version != column.version:
            whole = None if known is None or known.around[1] != around[1] else self._grown(known, column)
            known = self._numbered[column.id] = _Known(column, around, whole or self._of_rows(column))
        return known.whole

    def _grown(self, known: _Known, column: SheetColumn) -> Whole | None:
        rows = () if known.column.version == column.version else _between(known.column, column)
        missing = self.state.rows - len(known.whole.values)
        if rows is None or missing < 0:
            return None
        values = known.whole.values
        if missing:
            values = pa.concat_arrays([values, pa.nulls(missing, values.type)])
        return self._replaced(Whole(values, known.whole.errors), column, np.unique(np.array(rows, dtype=np.int64)))

    def _of_rows(self, column: SheetColumn) -> Whole:
        state, type_name = self.state, self.types[column.id]
        kind = arrow_type(type_name)
        values = self._data(column)
        values = values if kind is None else cast(values, kind)
        if column.is_untouched:
            return Whole(values, {})
        codes, contents = column.coded(np.arange(state.rows, dtype=np.int64))
        places = np.flatnonzero(codes)
        leaves = [self._leaf(column, content) for content in contents]
        failed = {number: leaf for number, leaf in enumerate(leaves, start=1) if isinstance(leaf, CellError)}
        errors = {place: failed[code] for place, code in _coded_as(codes, failed)}
        typed = [None if isinstance(leaf, CellError) else converted(leaf, type_name) for leaf in leaves]
        given = pa.array(typed, values.type).take(pa.array(codes[places] - 1))
        return Whole(pc.replace_with_mask(values, codes != 0, given), errors)

    def _data(self, column: SheetColumn) -> pa.Array:
        """The data of a column by row number; nothing in rows that were inserted."""
        if column.base is None or column.hides_data:
            return pa.nulls(self.state.rows, arrow_type(self.types[column.id]))
        values = self.state.source.whole(column.base)
        new = self.state.rows - len(values)
        return pa.concat_arrays([values, pa.nulls(new, values.type)]) if new else values

    def _with_formulas(self, column: SheetColumn, leaves: Whole) -> Whole:
        positions, trees = self.formulas(column.id)
        type_name = self.types[column.id]
        errors = dict(leaves.errors)
        for place in positions.tolist():
            errors.pop(place, None)
        found: list[object] = [None] * len(positions)
        remaining = np.arange(len(positions))
        if not self.is_circular(column.id) and len(positions) >= _LARGE:
            values, remaining = self._in_bulk(leaves.values, positions, trees, type_name, errors)
            leaves = Whole(values, {})
        self._compute((column.id, position) for position in positions[remaining].tolist())
        for place in remaining.tolist():
            value = self._memo[column.id, int(positions[place])]
            if isinstance(value, CellError):
                errors[int(positions[place])] = value
            else:
                found[place] = converted(value, type_name)
        mask = np.zeros(len(leaves.values), dtype=bool)
        mask[positions[remaining]] = True
        given = pa.array([found[place] for place in remaining.tolist()], leaves.values.type)
        return Whole(pc.replace_with_mask(leaves.values, mask, given), errors)

    def _in_bulk(
        self, values: pa.Array, positions: Rows, trees: list[Tree], type_name: str, errors: dict[int, CellError]
    ) -> tuple[pa.Array, Rows]:
        """Formulas that stand in many rows, each computed once for all of them; which are left to do one by one."""
        left = np.ones(len(positions), dtype=bool)
        numbers: dict[int, int] = {}
        codes = np.array([numbers.setdefault(id(tree), len(numbers)) for tree in trees], dtype=np.int64)
        by_code = {numbers[id(tree)]: tree for tree in trees}
        for code, count in enumerate(np.bincount(codes)):
            if count < _LARGE:
                continue
            chosen = codes == code
            at = positions[chosen]
            try:
                result = evaluated(by_code[code], at, self)
            except NotVector:
                continue
            left &= ~chosen
            for place in [] if result.codes is None else np.flatnonzero(result.codes).tolist():
                errors[int(at[place])] = result.error(place)
            mask = np.zeros(len(values), dtype=bool)
            mask[at] = True
            values = pc.replace_with_mask(values, mask, cast(result.arrow(), values.type))
        return values, np.flatnonzero(left)

    # what vectors ask

    def numbers(self, column: str, row: Row, positions: Rows) -> Vector:
        """The numbers of a column beside these positions."""
        if column not in self.state.shown:
            raise NotVector
        whole = self.whole(column)
        if isinstance(row, At):
            at = self._position(row, 0)
            if at is None:
                raise NotVector
            targets = np.full(len(positions), at, dtype=np.int64)
        else:
            targets = positions + row.by
        return Vector.of(whole.values, whole.errors, targets)

    def stored_numbers(self, column: str, positions: Rows) -> Vector:
        """The numbers of the data below a column in the rows at these positions."""
        base, rows = self.state.columns[column].base, self.state.order.take(positions)
        if base is None or (rows >= self.state.source.rows).any():
            raise NotVector
        return Vector.of(self.state.source.whole(base), {}, rows)

    def area_number(self, name: str, area: Area) -> object:
        """An aggregate that is the same wherever the formula stands."""
        if area.first is not None or len(area.columns) != 1:
            raise NotVector
        return self._over_one(name, area, 0)

    def running(self, name: str, area: Area, positions: Rows) -> Vector:
        """An aggregate over a stretch of one column that is another one for each of these positions."""
        if len(area.columns) != 1 or area.first is None or area.last is None or name not in RUNNING:
            raise NotVector
        (column,) = area.columns
        if column not in self.state.shown or self.is_mixed(column):
            raise NotVector
        whole = self.whole(column)
        ends = [self.targets(row, positions) for row in (area.first, area.last)]
        inside = (ends[0] >= 0) & (ends[1] >= 0)
        first, last = np.minimum(*ends)[inside], np.maximum(*ends)[inside]
        if whole.errors or not len(first):
            raise NotVector
        if (first == first[0]).all():
            found = Running(whole.values, int(first[0])).vector(name, last)
        elif (last - first == last[0] - first[0]).all():
            found = sliding(name, whole.values, first, int(last[0] - first[0]) + 1)
        else:
            raise NotVector
        return found if inside.all() else beyond(found, inside)


RUNNING = frozenset({"SUM", "COUNT", "AVERAGE"})


class _Single:
    """A sheet of one column, in which formulas see only their own row."""

    def __init__(self, values: list[object]) -> None:
        self._values = values

    def cell(self, column: str, row: Row, position: int) -> object:
        """The value itself."""
        return self._values[position]

    def stored(self, column: str, position: int) -> object:
        """Nobody asks."""
        raise NotVector

    def aggregate(self, name: str, areas: Sequence[Area], loose: Sequence[object], position: int) -> object:
        """Of single values alone."""
        failed = next((value for value in loose if isinstance(value, CellError)), None)
        return failed or AGGREGATES[name][0](loose)

    def conditional(self, name: str, tested: Area, wanted: object, values: Area, position: int) -> object:
        """Nobody asks."""
        raise NotVector


def cast(values: pa.Array, kind: pa.DataType) -> pa.Array:
    """The values in another type, as single values are converted."""
    if values.type == kind:
        return values
    if pa.types.is_string(kind) and (pa.types.is_floating(values.type) or pa.types.is_temporal(values.type)):
        return pa.array([None if each is None else as_text(plain(each)) for each in values.to_pylist()], kind)
    if pa.types.is_string(kind) and (pa.types.is_nested(values.type) or pa.types.is_binary(values.type)):
        return pa.array([None if each is None else as_text(each) for each in values.to_pylist()], kind)
    return pc.cast(values, kind)


def _coded_as(codes: Codes, wanted: Mapping[int, object]) -> Iterator[tuple[int, int]]:
    """The places that have one of these codes, with it."""
    if wanted:
        for place in np.flatnonzero(np.isin(codes, list(wanted))).tolist():
            yield place, int(codes[place])


def _between(before: SheetColumn, after: SheetColumn) -> tuple[int, ...] | None:
    """The rows in which two neighbouring versions of a column differ; None if they are no neighbours."""
    if after.changed is not None and after.changed[0] == before.version:
        return after.changed[1]
    return before.changed[1] if before.changed is not None and before.changed[0] == after.version else None


def _columns(trees: Iterable[Tree]) -> Iterator[str]:
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Cell):
                yield node.column
            elif isinstance(node, Area):
                yield from node.columns


def _failed(errors: dict[int, CellError], first: int, last: int) -> CellError | None:
    """The first error of a stretch."""
    if not errors:
        return None
    place = min((each for each in errors if first <= each <= last), default=None)
    return None if place is None else errors[place]
