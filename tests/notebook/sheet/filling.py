"""Random edit scripts in which columns are filled down, often."""

from __future__ import annotations

from tests.notebook.sheet.scripts import Script


class FillingScript(Script):
    """Fills from one row down to another or to the last, all rows between or those that meet a condition."""

    kinds = [*Script.kinds, *["fill_down"] * 8]

    def _fill_down(self) -> bool | None:
        if len(self.model.rows) < 2:
            return False
        at = self.random.randrange(len(self.model.rows) - 1)
        column = self.random.choice(self.model.columns)
        last = self.random.choice([None, self.random.randrange(at + 1, len(self.model.rows))])
        condition, holds, doubtful = self._condition()
        has_condition = self.random.random() < 0.4
        where = self.written(condition, 0) if has_condition else None
        row = self.model.rows[at]
        content, hangs = self._copied(row, column), self.model.decided.get((row, column))
        self.sheet.fill_down(at, self.model.names[column], last, where)
        for each in range(at + 1, len(self.model.rows) if last is None else last + 1):
            place = self.model.rows[each], column
            if not has_condition or holds[place[0]]:
                self._put(each, column, content)
                self.model.decided[place] = bool(hangs)
            if has_condition and doubtful[place[0]]:
                self.model.decided[place] = True
        if self.model.doubtful_order:
            self.model.decided |= {(each, column): True for each in self.model.rows}
        return None
