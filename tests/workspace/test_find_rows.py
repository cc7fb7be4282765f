"""Plain comparisons find the rows that Spark finds; all other conditions go to Spark."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import whence
from whence.model.errors import UserError
from whence.workspace.forgetting.find_rows import find_rows, plain_clauses

SCHEMA = "id int, small smallint, name string, `odd name` string, x double, `true` int"
ROWS = [
    (1, 1, "Ada", "a", 1.0, 1),
    (2, None, "ada", "A", 2.0, 0),
    (None, 3, None, None, None, None),
    (-4, 4, "Ada ", "it's", 1.0, 1),
    (1, 5, "", "a", 0.0, 1),
]
PLAIN = [
    "id = 1",
    "  id=1 ",
    "id = -4",
    "id = 2147483648",
    "small = 3",
    "name = 'Ada'",
    "name = ''",
    "name='Ada' and id = 1",
    "`odd name` = 'a' AND id = 1 And small = 5",
    "`id` = 1",
    "`true` = 1",
]
OTHERS = [
    "ID = 1",
    "id = 1.0",
    "id = '1'",
    "name = 'Ada' or id = 2",
    "not id = 1",
    "id in (1, 2)",
    "x = 1",
    "name = 1",
    "name = 'it''s'",
    "`odd name` = 'it\\'s'",
    "id = 1 -- or more",
    "id = 1L",
    "id = 1 + 1",
    "id = 1 and (name = 'Ada')",
    "id = small",
    "true = true",
    "id is null",
]


@pytest.mark.spark
def test_each_condition_finds_the_rows_that_spark_finds(ws: whence.Workspace) -> None:
    record = ws.create("people", ROWS, schema=SCHEMA).record
    context = ws["people"].context
    for where in (*PLAIN, *OTHERS):
        expected = answer(lambda text: context.engine.rids_where(record, text), where)
        assert answer(lambda text: find_rows(context, record, text), where) == expected, where


def answer(find: Callable[[str], list[int]], where: str) -> list[int] | str:
    """The rows that a condition finds, or the words of the error."""
    try:
        return find(where)
    except UserError as error:
        return str(error)


@pytest.mark.spark
def test_only_plain_comparisons_are_understood_here(ws: whence.Workspace) -> None:
    record = ws.create("people", ROWS, schema=SCHEMA).record
    too_large = {"id = 2147483648"}
    assert [where for where in PLAIN if plain_clauses(record, where) is None] == list(too_large)
    assert [where for where in OTHERS if plain_clauses(record, where) is not None] == []
