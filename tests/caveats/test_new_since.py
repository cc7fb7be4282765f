"""Which caveats are new in a later version, against plain Python: a doubt about a row, known by its values."""

from random import Random
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from whence import Dataset, Workspace

Doubt = tuple[int, str, str]
"""The id of the row, the column, the message."""


def make_version(ws: "Workspace", rows: list[tuple[int, int]], doubts: set[Doubt]) -> "Dataset":
    places = {row[0]: place for place, row in enumerate(rows)}
    given = [(places[id], column, message) for id, column, message in sorted(doubts)]
    return ws.create("t", rows, schema="id int, x int", cell_caveats=given)


def news(found: "Dataset", *earlier: object) -> set[Doubt]:
    groups = found.caveats.new_since(*earlier)
    ids = found.context.store.version("t", groups[0].references[0].version) if groups else None
    rows = {} if ids is None else dict(enumerate(found.context.store.read(ids, 0, ids.rows).column("id").to_pylist()))
    refs = [ref for group in groups for ref in group.references]
    assert sum(group.count for group in groups) == len(refs)
    return {(rows[ref.row], ref.column, ref.message) for ref in refs if ref.row is not None and ref.column is not None}


def some_doubts(dice: Random, ids: list[int]) -> set[Doubt]:
    return {(dice.choice(ids), "x", dice.choice(["torn", "smudged"])) for _ in range(dice.randrange(6))}


@pytest.mark.parametrize("seed", range(6))
def test_what_is_new_is_what_no_earlier_version_had(ws: "Workspace", seed: int) -> None:
    dice = Random(seed)
    rows = [(id, dice.randrange(4)) for id in range(12)]
    old = some_doubts(dice, list(range(8)))
    make_version(ws, rows[:8], old)
    before = ws.sql("select id, x from t where id % 2 = 0", name="even")
    kept = [row for row in rows if row[0] != 3]
    dice.shuffle(kept)
    now = {doubt for doubt in old if doubt[0] != 3} | some_doubts(dice, [id for id, _ in kept])
    table = make_version(ws, kept, now)
    after = ws.sql("select id, x from t where id % 2 = 0", name="even")
    assert news(table, 1) == now - old
    assert news(after, before) == {doubt for doubt in now - old if doubt[0] % 2 == 0}
    assert news(after, "even@1", "t@2") == set()
    assert news(after) == {doubt for doubt in now if doubt[0] % 2 == 0}


def test_an_acknowledged_caveat_that_was_there_is_not_new(ws: "Workspace") -> None:
    make_version(ws, [(1, 1), (2, 2)], {(1, "x", "torn")})
    table = make_version(ws, [(2, 2), (1, 1)], {(1, "x", "torn"), (2, "x", "torn")})
    table.caveats.acknowledge("user", note="seen")
    (group,) = table.caveats.new_since(1)
    assert (group.count, group.acknowledged, group.note, [ref.row for ref in group.references]) == (
        1,
        True,
        "seen",
        [0],
    )
