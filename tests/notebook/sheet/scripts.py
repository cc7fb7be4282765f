"""Random edit scripts, done to a sheet and to the model side by side."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import whence
from tests.notebook.sheet.model import Bad, Content, Formula, Model, combined, pieces
from whence.workspace.sheet import Sheet

WORDS = ["fig", "Kiwi", "lime", "12", "", "x y"]


def letters(number: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number]


class Script:
    """One sheet and its model, edited together; the history of models is what undo goes back to."""

    kinds = (
        ["set"] * 6 + ["formula"] * 8 + ["undo", "redo", "insert_row", "delete_row", "move_row", "insert_column"]
        + ["delete_column", "move_column", "rename", "sort", "filter", "fill", "fill", "where", "where", "column"]
        + ["identical", "replace", "recode", "blank", "block", "block"]
    )  # fmt: skip
    pairs: Mapping[str, str] = {"fig": "date", "n/a": "plum"}
    """What a recode puts in the place of what."""

    def __init__(self, seed: int, workspace: whence.Workspace, rows: int = 6) -> None:
        self.random = random.Random(seed)
        chance = self.random
        self.records = [
            (
                number,
                chance.choice([None, chance.randint(-5, 20)]) if chance.random() < 0.2 else chance.randint(-5, 20),
                None if chance.random() < 0.15 else chance.choice([0.5, 2.0, -1.25, 4.0]),
                None if chance.random() < 0.1 else chance.choice(["fig", "kiwi", "lime", "12", "fig tree"]),
            )
            for number in range(rows)
        ]
        marked = {(row, column) for row in range(rows) for column in "abt" if chance.random() < 0.08}
        absent = {row for row in range(rows) if chance.random() < 0.3} if chance.random() < 0.2 else set()
        self.schema = "k int, a int, b double, t string"
        self.dataset = workspace.create(
            "data",
            self.records,
            self.schema,
            cell_caveats=[(row, column, "smudged") for row, column in sorted(marked)],
            row_caveats=[(row, "seen twice") for row in sorted(absent)],
        )
        data: dict[int, dict[str, Any]] = {
            row: dict(zip("kabt", record, strict=True)) for row, record in enumerate(self.records)
        }
        self.model = Model(data, marked, list("kabt"), {c: c for c in "kabt"}, {"t"}, list(range(rows)))
        self.model.row_doubt, self.model.loose_order = set(absent), bool(absent)
        self.sheet: Sheet = workspace.sheet(self.dataset)
        self.past: list[Model] = []
        self.future: list[Model] = []
        self.made = 0
        self.done: list[str] = []

    def step(self) -> None:
        kind = self.random.choice(self.kinds)
        before = self.model.copy()
        if getattr(self, f"_{kind}")() is not False and kind not in ("undo", "redo"):
            self.past.append(before)
            self.future.clear()
            self.done.append(kind)

    def _place(self) -> tuple[int, str]:
        return self.random.randrange(len(self.model.rows)), self.random.choice(self.model.columns)

    def _put(self, at: int, column: str, content: Content) -> None:
        place = self.model.rows[at], column
        self.model.cells[place] = content
        self.model.decided.pop(place, None)

    def _set(self) -> bool | None:
        if not self.model.rows:
            return False
        at, column = self._place()
        value = self.random.choice([3, -7, 2.5, "fig", "n/a", None, 0])
        self.sheet.set(at, self.model.names[column], value)
        stored = value
        if isinstance(value, str) and value == "12" and column not in self.model.text_columns:
            stored = 12
        self._put(at, column, ("value", stored))
        return None

    def _blank(self) -> bool | None:
        if not self.model.rows:
            return False
        at, column = self._place()
        self.sheet.set(at, self.model.names[column], "")
        self._put(at, column, ("value", "" if column in self.model.text_columns else None))
        return None

    def _formula(self) -> bool | None:
        if not self.model.rows:
            return False
        at, column = self._place()
        formula = self.tree(2, at)
        self.sheet.set(at, self.model.names[column], "=" + self.written(formula, at))
        self._put(at, column, ("formula", formula))
        return None

    def _block(self) -> bool | None:
        if not self.model.rows:
            return False
        rows = self.random.sample(range(len(self.model.rows)), self.random.randint(1, min(3, len(self.model.rows))))
        columns = self.random.sample(self.model.columns, self.random.randint(1, min(2, len(self.model.columns))))
        block = [[self._pasted(at) for _ in columns] for at in rows]
        typed = [[value if kind == "value" else "=" + self.written(value, at) for kind, value in line]
                 for at, line in zip(rows, block, strict=True)]  # fmt: skip
        self.sheet.set_cells(rows, [self.model.names[column] for column in columns], typed)
        for at, line in zip(rows, block, strict=True):
            for column, content in zip(columns, line, strict=True):
                self._put(at, column, content)
        return None

    def _pasted(self, at: int) -> Content:
        if self.random.random() < 0.4:
            return ("formula", self.tree(1, at))
        return ("value", self.random.choice([3, -7, 2.5, "fig", "n/a", None, 0]))

    def tree(self, depth: int, at: int, own_row: bool = False) -> Formula:
        chance = self.random
        column = chance.choice(self.model.columns)
        if depth == 0 or chance.random() < 0.2:
            down = 0 if own_row else chance.choice([0, 0, 0, -1, 1, -2])
            if chance.random() < 0.25:
                return chance.choice([("num", 2), ("num", 1.5), ("num", 0), ("text", "q")])
            if not own_row and chance.random() < 0.15:
                return ("abs", column, chance.choice(self.model.rows))
            inside = 0 <= at + down < len(self.model.rows)
            return ("ref", column, down if inside else 0)
        kinds = ["bin"] * 5 + ["if", "len", "iferror"] + ([] if own_row else ["all", "range", "countif"])
        match chance.choice(kinds):
            case "bin":
                op = chance.choice(["+", "-", "*", "/", "&", "<", "="])
                return ("bin", op, self.tree(depth - 1, at, own_row), self.tree(depth - 1, at, own_row))
            case "if":
                claim = ("bin", "<", self.tree(0, at, own_row), self.tree(0, at, own_row))
                return ("if", claim, self.tree(depth - 1, at, own_row), self.tree(depth - 1, at, own_row))
            case "len":
                return ("call", chance.choice(["LEN", "UPPER"]), self.tree(depth - 1, at, own_row))
            case "iferror":
                return ("call", "IFERROR", self.tree(depth - 1, at, own_row), ("num", 9))
            case "all":
                return ("all", chance.choice(["SUM", "COUNT", "COUNTA", "MIN", "MAX", "AVERAGE"]), column)
            case "range":
                ends = sorted(chance.randrange(len(self.model.rows)) - at for _ in range(2))
                return ("range", chance.choice(["SUM", "COUNT", "MIN", "AVERAGE"]), column, *ends)
        return ("countif", column, 3)

    def written(self, formula: Formula, at: int) -> str:  # noqa: C901 - a table of forms
        def letter(column: str) -> str:
            return letters(self.model.columns.index(column))

        match formula:
            case ("num", value):
                return str(value)
            case ("text", value):
                return f'"{value}"'
            case ("ref", column, down):
                return f"{letter(column)}{at + down + 1}"
            case ("abs", column, row):
                return f"${letter(column)}${self.model.rows.index(row) + 1}"
            case ("all", function, column):
                return f"{function}({letter(column)}:{letter(column)})"
            case ("range", function, column, first, last):
                return f"{function}({letter(column)}{at + first + 1}:{letter(column)}{at + last + 1})"
            case ("countif", column, limit):
                return f'COUNTIF({letter(column)}:{letter(column)},">{limit}")'
            case ("if", *parts):
                return f"IF({','.join(self.written(part, at) for part in parts)})"
            case ("call", name, *parts):
                return f"{name}({','.join(self.written(part, at) for part in parts)})"
            case ("bin", op, left, right):
                return f"({self.written(left, at)}{op}{self.written(right, at)})"
        raise AssertionError(formula)

    def _undo(self) -> None:
        self.sheet.undo()
        if self.past:
            self.future.append(self.model)
            self.model = self.past.pop()

    def _redo(self) -> None:
        self.sheet.redo()
        if self.future:
            self.past.append(self.model)
            self.model = self.future.pop()

    def _insert_row(self) -> None:
        after = self.random.choice([None, *range(len(self.model.rows))])
        self.sheet.insert_row(after=after)
        self.made += 1
        self.model.rows.insert(0 if after is None else after + 1, f"new{self.made}")

    def _delete_row(self) -> bool | None:
        if len(self.model.rows) < 3:
            return False
        at = self.random.randrange(len(self.model.rows))
        self.sheet.delete_row(at)
        del self.model.rows[at]
        return None

    def _move_row(self) -> bool | None:
        if len(self.model.rows) < 2:
            return False
        at, after = self.random.sample(range(len(self.model.rows)), 2)
        self.sheet.move_row(at, after=after)
        row, target = self.model.rows[at], self.model.rows[after]
        self.model.rows.remove(row)
        self.model.rows.insert(self.model.rows.index(target) + 1, row)
        return None

    def _insert_column(self) -> bool | None:
        if len(self.model.columns) > 6:
            return False
        after = self.random.choice([None, *self.model.columns])
        self.made += 1
        name = f"n{self.made}"
        self.sheet.insert_column(name, after=None if after is None else self.model.names[after])
        self.model.columns.insert(0 if after is None else self.model.columns.index(after) + 1, name)
        self.model.names[name] = name
        return None

    def _delete_column(self) -> bool | None:
        if len(self.model.columns) < 4:
            return False
        column = self.random.choice(self.model.columns)
        self.sheet.delete_column(self.model.names[column])
        self.model.columns.remove(column)
        return None

    def _move_column(self) -> bool | None:
        if len(self.model.columns) < 2:
            return False
        column, after = self.random.sample(self.model.columns, 2)
        self.sheet.move_column(self.model.names[column], after=self.model.names[after])
        self.model.columns.remove(column)
        self.model.columns.insert(self.model.columns.index(after) + 1, column)
        return None

    def _rename(self) -> None:
        column = self.random.choice(self.model.columns)
        self.made += 1
        self.sheet.rename_column(self.model.names[column], f"r{self.made}")
        self.model.names[column] = f"r{self.made}"

    def _sort(self) -> bool | None:
        """By a column whose cells the model can put in order without knowing types: numbers and nothing."""
        column = self.random.choice(self.model.columns)
        values = self.model.values()
        found: dict[object, Any] = {row: values[row, column] for row in self.model.rows}
        if any(isinstance(each, str | bool | Bad) for each in found.values()):
            return False
        if self._is_text(column):
            return False
        down = self.random.random() < 0.5
        self.sheet.sort((self.model.names[column], "desc" if down else "asc"))
        filled = [row for row in self.model.rows if found[row] is not None]
        empty = [row for row in self.model.rows if found[row] is None]
        if any(doubt for place, doubt in self.model.doubts().items() if place[1] == column):
            self.model.loose_order = self.model.doubtful_order = True
        self.model.rows = sorted(filled, key=lambda row: -found[row] if down else found[row]) + empty
        return None

    def _is_text(self, column: str) -> bool:
        page = self.sheet.page()
        return next(each.type for each in page.columns if each.name == self.model.names[column]) == "string"

    def _condition(self) -> tuple[Formula, dict[object, bool], dict[object, bool]]:
        """A comparison in the row itself: where it holds, and where that is in doubt."""
        op, limit = self.random.choice(["<", "="]), self.random.choice([("num", 3), ("text", "fig")])
        column = self.random.choice(self.model.columns)
        formula = ("bin", op, ("ref", column, 0), limit)
        values, doubts = self.model.values(), self.model.doubts()
        holds = {row: combined(op, values[row, column], limit[1]) is True for row in self.model.rows}
        return formula, holds, {row: doubts[row, column] for row in self.model.rows}

    def _filter(self) -> bool | None:
        if not self.model.rows:
            return False
        formula, holds, doubtful = self._condition()
        if sum(holds.values()) < 2:
            return False
        self.sheet.filter(self.written(formula, 0))
        self.model.row_doubt |= {row for row in self.model.rows if doubtful[row]}
        self.model.row_set |= any(doubtful[row] and not holds[row] for row in self.model.rows)
        self.model.loose_order |= any(doubtful.values())
        self.model.doubtful_order |= any(doubtful.values())
        self.model.rows = [row for row in self.model.rows if holds[row]]
        return None

    def _where(self) -> bool | None:
        if not self.model.rows:
            return False
        condition, holds, doubtful = self._condition()
        column = self.random.choice(self.model.columns)
        content: Content = self.random.choice(
            [("value", 5), ("value", "fig"), ("formula", self.tree(1, 0, own_row=True))]
        )
        given = content[1] if content[0] == "value" else "=" + self.written(content[1], 0)
        self.sheet.set_where(self.written(condition, 0), self.model.names[column], given)
        contents = {row: self._with_earlier_content(content, row, column) for row in self.model.rows if holds[row]}
        for row in self.model.rows:
            if doubtful[row]:
                self.model.decided[row, column] = True
            if holds[row]:
                self.model.cells[row, column] = contents[row]
                if not doubtful[row] and contents[row] == content:
                    self.model.decided.pop((row, column), None)
        return None

    def _with_earlier_content(self, content: Content, row: object, column: str) -> Content:
        """A formula that reads its own cell means what was there before."""
        if content[0] != "formula" or ("ref", column, 0) not in pieces(content[1]):
            return content
        over = self.model.cells.get((row, column))
        if over is None:
            has = isinstance(row, int) and column in self.model.data[row]
            before: Formula = ("was", column) if has else ("num", None)
        elif over[0] == "formula":
            before = over[1]
        elif over[0] == "copy":
            before = ("copied", column, over[1])
        else:
            before = ("num", self.model.content(row, column)[1])
        return "formula", swapped(content[1], ("ref", column, 0), before)

    def _column(self) -> bool | None:
        if not self.model.rows:
            return False
        column = self.random.choice(self.model.columns)
        content: Content = self.random.choice([("value", 4), ("formula", self.tree(1, 0, own_row=True))])
        given = content[1] if content[0] == "value" else "=" + self.written(content[1], 0)
        self.sheet.set_column(self.model.names[column], given)
        self.model.text_columns.discard(column)
        everyone = [*self.model.data, *[row for row in self._ever() if not isinstance(row, int)]]
        contents = {row: self._with_earlier_content(content, row, column) for row in everyone}
        for row in everyone:
            self.model.cells[row, column] = contents[row]
            if content[0] != "formula" or ("ref", column, 0) not in pieces(content[1]):
                self.model.decided.pop((row, column), None)
        return None

    def _ever(self) -> list[object]:
        return [*self.model.rows]

    def _fill(self) -> bool | None:
        if len(self.model.rows) < 2:
            return False
        at, column = self._place()
        others = self.random.sample(range(len(self.model.rows)), min(2, len(self.model.rows)))
        row = self.model.rows[at]
        content = self._copied(row, column)
        self.sheet.fill(at, self.model.names[column], others)
        hangs = self.model.decided.get((row, column))
        for other in others:
            self._put(other, column, content)
            if hangs:
                self.model.decided[self.model.rows[other], column] = True
        return None

    def _copied(self, row: object, column: str) -> Content:
        """What a cell holds, for other cells to hold."""
        has = isinstance(row, int) and column in self.model.data[row]
        return self.model.cells.get((row, column)) or (("copy", row) if has else ("value", None))

    def _identical(self) -> bool | None:
        rows = [row for row in self.model.rows if isinstance(row, int)]
        places = [
            (r, c) for r, c in self.model.cells if r in rows and c in self.model.columns and c in self.model.data[r]
        ]
        if not places:
            return False
        row, column = self.random.choice(sorted(places, key=str))
        self.sheet.apply_to_identical(self.model.rows.index(row), self.model.names[column])
        content, old = self.model.cells[row, column], self.model.data[row][column]
        for other, record in self.model.data.items():
            if (other, column) in self.model.cells:
                continue
            hangs = self.model.decided.get((row, column)) or (row, column) in self.model.doubt
            if hangs or (other, column) in self.model.doubt:
                self.model.decided[other, column] = True
            if same(record[column], old):
                self.model.cells[other, column] = content
        return None

    def _replace(self) -> bool | None:
        column = "t"
        if column not in self.model.columns:
            return False
        self.sheet.replace("fig", "date", [self.model.names[column]])
        plain = [row for row in self.model.data if (row, column) not in self.model.cells]
        hits = [row for row in plain if "fig" in (self.model.data[row][column] or "")]
        for row in plain if hits else ():
            if (row, column) in self.model.doubt:
                self.model.decided[row, column] = True
        for place, content in self.model.cells.items():
            if place[1] == column and content[0] == "value" and isinstance(content[1], str):
                self.model.cells[place] = ("value", content[1].replace("fig", "date"))
            if place[1] == column and content[0] == "copy" and "fig" in (self.model.data[content[1]][column] or ""):
                self.model.cells[place] = ("formula", ("call", "DATED", ("copied", column, content[1])))
        for row in hits:
            self.model.cells[row, column] = ("formula", ("call", "DATED", ("was", column)))
        return None

    def _recode(self) -> bool | None:
        column = "t"
        if column not in self.model.columns:
            return False
        pairs = self.pairs
        self.sheet.recode(self.model.names[column], pairs)
        for place, content in self.model.cells.items():
            if place[1] == column and content[0] == "value" and content[1] in pairs:
                self.model.cells[place] = ("value", pairs[content[1]])
            if place[1] == column and content[0] == "copy" and self.model.data[content[1]][column] in pairs:
                self.model.cells[place] = ("value", pairs[self.model.data[content[1]][column]])
                if (content[1], column) in self.model.doubt:
                    self.model.decided[place] = True
        plain = [row for row in self.model.data if (row, column) not in self.model.cells]
        hits = [row for row in plain if self.model.data[row][column] in pairs]
        for row in plain if hits else ():
            if (row, column) in self.model.doubt:
                self.model.decided[row, column] = True
        for row in hits:
            self.model.cells[row, column] = ("value", pairs[self.model.data[row][column]])
        return None


def same(one: object, other: object) -> bool:
    return (one is None and other is None) or (one is not None and one == other)


def swapped(formula: object, old: Formula, new: Formula) -> object:
    if formula == old:
        return new
    return tuple(swapped(part, old, new) for part in formula) if isinstance(formula, tuple) else formula
