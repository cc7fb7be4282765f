"""Rows that are written in a program are known by its text; everything that may hold other rows is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.engine.written_rows import WrittenRows

WRITTEN = {
    "in the call": ("spark.createDataFrame([(1, 'a'), (-2, None)], ['n', 's'])", None),
    "by keyword": ("spark.createDataFrame(schema='n int', data=[{'n': 1}])", None),
    "over lines": ("spark.createDataFrame(\n    [(1,)],\n    ['n'],\n)", None),
    "in a variable": ("rows = [Row(n=1), Row(n=2 * 3)]\nprint(len(rows))\nspark.createDataFrame(rows)", "rows"),
    "as dates": ("rows: list = [(date(2024, 1, 2), Decimal('1.5'))]\nspark.createDataFrame(rows)", "rows"),
    "as vectors": ("spark.createDataFrame([(0, Vectors.sparse(3, [1], [2.0]))], ['n', 'v'])", None),
    "as pandas": ("spark.createDataFrame(pd.DataFrame({'k': ['a', 'b']}))", None),
}
OTHERS = {
    "another variable inside": ("n = df.count()\nspark.createDataFrame([(n,)])", None),
    "a comprehension": ("spark.createDataFrame([(row.n,) for row in taken])", None),
    "bound twice": ("rows = [(1,)]\nrows = df.collect()\nspark.createDataFrame(rows)", "rows"),
    "added to": ("rows = []\nrows.append((n,))\nspark.createDataFrame(rows)", "rows"),
    "extended": ("rows = [(1,)]\nrows += more\nspark.createDataFrame(rows)", "rows"),
    "an item set": ("rows = [(1,)]\nrows[0] = (n,)\nspark.createDataFrame(rows)", "rows"),
    "handed to a function": ("rows = []\nfill(rows)\nspark.createDataFrame(rows)", "rows"),
    "a parameter": ("def give(rows):\n    return spark.createDataFrame(rows)\nrows = [(1,)]", "rows"),
    "a loop": ("rows = [(1,)]\nfor rows in taken: pass\nspark.createDataFrame(rows)", "rows"),
    "unpacked": ("rows, n = [(1,)], 2\nspark.createDataFrame(rows)", "rows"),
    "from elsewhere": ("give(spark)", None),
    "no program": ("def broken(:", None),
}


def _are_constants(folder: Path, text: str, variable: str | None) -> bool:
    program = folder / "program.py"
    program.write_text(text)
    line = next((n for n, each in enumerate(text.splitlines(), 1) if "createDataFrame" in each), 1)
    return WrittenRows(str(program)).are_constants(line, variable)


@pytest.mark.parametrize("how", WRITTEN)
def test_rows_of_constants_are_written_in_the_program(tmp_path: Path, how: str) -> None:
    assert _are_constants(tmp_path, *WRITTEN[how])


@pytest.mark.parametrize("how", OTHERS)
def test_rows_that_may_come_from_elsewhere_are_not(tmp_path: Path, how: str) -> None:
    assert not _are_constants(tmp_path, *OTHERS[how])
