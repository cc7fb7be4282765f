"""Every answer of a random pipeline is what a plain Python replay with explicit provenance says."""

from __future__ import annotations

import random

import pytest

import whence
from tests.pipeline.random_steps import make_step
from tests.pipeline.replay import Replay, same

COLUMNS = ("s1", "s.2", "n1", "n.2", "n3")
SCHEMA = "s1 string, `s.2` string, n1 int, `n.2` int, n3 int"


def table(rng: random.Random) -> list[tuple[object, ...]]:
    """Few values, so that records repeat; names with dots, leading blanks and missing values."""
    texts, numbers = ["a", " b", "c", None], [-1, 0, 1, 3, None]
    rows = [tuple(rng.choice(texts if n < 2 else numbers) for n in range(5)) for _ in range(rng.randint(4, 9))]
    return [*rows, rows[0]]


def check(ws: whence.Workspace, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    rows = table(rng)
    data = ws.create(f"t{seed}", rows, schema=SCHEMA)
    p, replay = whence.Pipeline(data, name=f"p{seed}"), Replay(COLUMNS, rows)
    while len(p.operations) < steps:
        make_step(rng, p, replay)
        if not replay.rows:
            break
    said = f"seed {seed}: {[operation.code for operation in p.operations]}"
    q, result = p.provenance, p.result.to_arrow().to_pylist()
    assert p.result.columns == replay.columns, said
    order = [int(record) for record in q.record_ids()]
    expected = {row.record: row for row in replay.rows}
    assert sorted(order) == sorted(expected), said
    for rid, record in enumerate(order):
        row = expected[record]
        for name in replay.columns:
            item, place = row.items[name], (said, rid, record, name)
            assert same(result[rid][name], item.value), place
            assert {(ref.row, ref.column) for ref in q.why(rid, name)} == item.why, place
            how = [(step.operation.index, step.before, step.after) for step in q.how(rid, name)]
            assert [step for step, _, _ in how] == sorted(step for step, _, _ in how), place
            if item.is_single:
                assert set(how) == set(item.how), place
            else:
                assert {step for step, _, _ in how} == {step for step, _, _ in item.how}, place
    counted = [(each.rows_before, each.rows_after, each.cells_changed) for each in q.transformations()]
    assert counted == replay.counts, said
    check_records(q, replay, said)
    check_items(q, replay, said)


def check_records(q: whence.Provenance, replay: Replay, said: str) -> None:
    for record in range(replay.records):
        gone = q.record_invalidation(record)
        assert (None if gone is None else gone.index) == replay.record_death.get(record), (said, record)
        assert [each.index for each in q.record_operations(record)] == replay.record_steps[record], (said, record)
        why = q.why_missing(record)
        died = replay.record_death.get(record)
        others = sum(1 for step in replay.record_death.values() if step == died) - 1 if died is not None else 0
        assert (why.operation is None, why.others) == (died is None, others), (said, record, str(why))
    gone_features = {max(replay.names[number], key=len): step for number, step in replay.feature_death.items()}
    alive = set(replay.columns)
    found = {name: each.index for name, each in q.invalidations().features.items()}
    assert found == {name: step for name, step in gone_features.items() if name not in alive}, said
    assert {r: each.index for r, each in q.invalidations().records.items()} == replay.record_death, said


def check_items(q: whence.Provenance, replay: Replay, said: str) -> None:
    everyone: dict[str, set[int]] = {}
    for number, names in replay.names.items():
        for name in names:
            everyone.setdefault(name, set()).add(number)
    for name, numbers in everyone.items():
        for record in range(replay.records):
            place = (said, record, name)
            steps = sorted(step for number in numbers for step in replay.item_steps.get((record, number), []))
            assert [each.index for each in q.item_operations(record, name)] == sorted(set(steps)), place
            gone = sorted(step for number in numbers for step in replay.item_death.get((record, number), []))
            assert [each.index for each in q.item_invalidation(record, name)] == sorted(set(gone)), place
    assert q.invalidations().item_count == sum(len(each) for each in replay.item_death.values()), said
    assert len(list(q.invalidations().items)) == q.invalidations().item_count


@pytest.mark.parametrize("seed", [2, 54, 98, 105, 131])
def test_every_answer_is_what_the_definition_says(ws: whence.Workspace, seed: int) -> None:
    check(ws, seed, steps=6)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 300))
def test_many_more_pipelines(ws: whence.Workspace, seed: int) -> None:
    check(ws, seed, steps=8)
