"""Stretches of orders, against the pairs they stand for."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa

from whence.lineage.block import Block, Ids, Part
from whence.lineage.decode import decode
from whence.lineage.lookup import Lookup
from whence.lineage.orders import OrderedRows, Orders
from whence.lineage.selection import Selection
from whence.lineage.stretches import READINGS, Stretches, readings_to_arrays, with_readings
from whence.plan.expr import TRUE, Column
from whence.plan.step import Rid, Span

SOURCE_ROWS = 7


def numbers(values: list[int]) -> Ids:
    return np.array(values, dtype=np.int64)


def random_stretches(rng: Random, inner: Stretches | None = None) -> tuple[Stretches, set[tuple[int, int]]]:
    """Stretches and every (output row, source row) they stand for; over places that themselves read, if given."""
    places, rows = (inner.rows if inner else 6), 5
    ids = [rng.randrange(-1, SOURCE_ROWS) for _ in range(places)]
    behind = {place: {rid} - {-1} for place, rid in enumerate(ids)}
    if inner is not None:
        for place, rid in spelled_out(inner):
            behind[place].add(rid)
    entries = [(rng.randrange(rows), *sorted((rng.randint(0, places), rng.randint(0, places)))) for _ in range(8)]
    pairs = {(out, rid) for out, first, end in entries for place in range(first, end) for rid in behind[place]}
    out, first, end = (numbers([entry[n] for entry in entries]) for n in range(3))
    parts = (Part(None, {0: numbers(ids)}),)
    block = Block(places, parts, () if inner is None else (inner,))
    return Stretches(rows, out, first, end, {3: 0}, {3: 0}, block), pairs


def spelled_out(stretches: Stretches) -> set[tuple[int, int]]:
    lookup = look_up(stretches, backward=True)
    rows = np.arange(stretches.rows)
    return set(zip(np.repeat(rows, lookup.lengths(rows)).tolist(), lookup.of(rows).tolist(), strict=True))


def look_up(stretches: Stretches, *, backward: bool) -> Lookup:
    lookup = stretches.lookup(3, SOURCE_ROWS, backward=backward)
    assert lookup is not None
    return lookup


def check(stretches: Stretches, pairs: set[tuple[int, int]]) -> None:
    assert spelled_out(stretches) == pairs
    for backward, count in ((True, stretches.rows), (False, SOURCE_ROWS)):
        lookup = look_up(stretches, backward=backward)
        for keys in ([0], [1, 3], list(range(count)), []):
            wanted = [{pair[backward] for pair in pairs if pair[not backward] == key} for key in keys]
            chosen = Selection.of(numbers(keys), count)
            assert lookup.select(chosen).ids.tolist() == sorted(set().union(*wanted))
            assert lookup.lengths(numbers(keys)).tolist() == [len(each) for each in wanted]
            assert lookup.of(numbers(keys)).tolist() == [value for each in wanted for value in sorted(each)]


def test_random_stretches_answer_as_their_pairs() -> None:
    rng = Random(1)
    for _ in range(60):
        stretches, pairs = random_stretches(rng)
        check(stretches, pairs)


def test_stretches_over_places_that_read_themselves() -> None:
    rng = Random(2)
    for _ in range(60):
        inner, _ = random_stretches(rng)
        inner = Stretches(inner.rows, inner.out, inner.first, inner.end, {0: 0}, {0: 0}, inner.places)
        check(*random_stretches(rng, _as_source_0(inner)))


def _as_source_0(inner: Stretches) -> Stretches:
    """The same reading, known by the number that the outer order asks for and by the one the checks ask for."""
    return Stretches(inner.rows, inner.out, inner.first, inner.end, {3: 0, 0: 0}, {3: 3, 0: 0}, inner.places)


def test_what_was_read_comes_back_from_its_file() -> None:
    first, pairs = random_stretches(Random(3))
    second = Stretches(5, None, numbers([0] * 5), numbers([1] * 5), {4: 0}, {4: 0}, first.places)
    block = Block(5, (), (first, second))
    files = readings_to_arrays(block)
    assert sum(name.startswith("places") for name in files[READINGS]) == 2  # the order is stored once
    again = with_readings(Block(5), files[READINGS])
    one, other = again.readings
    assert isinstance(one, Stretches)
    assert isinstance(other, Stretches)
    check(one, pairs)
    assert other.end.tolist() == [1] * 5


def test_places_count_within_partitions() -> None:
    rid, span = Column(-1, "rid", "int"), Column(-2, "span", "struct")
    structs = [
        {"partition": 20, "place": 1, "first": 1, "last": 1},
        {"partition": 10, "place": 2, "first": 1, "last": 2**31 - 1},
        {"partition": 10, "place": 1, "first": 1, "last": 0},
        None,
        {"partition": 10, "place": 2, "first": None, "last": None},
    ]
    rows = OrderedRows((Rid(0, rid),), pa.table({"p": [20, 10, 10], "n": [1, 2, 1], "rid": [7, 8, 9]}))
    kind = pa.struct([(name, pa.int64()) for name in ("partition", "place", "first", "last")])
    block = decode(
        (Span(span, 1, TRUE, (Rid(2, rid),)),), pa.table({"s": pa.array(structs, kind)}), Orders({1: rows}, {2: 0})
    )
    (reading,) = block.readings
    assert isinstance(reading, Stretches)
    lookup = reading.lookup(0, 10, backward=True)
    assert lookup is not None
    assert [lookup.of(numbers([row])).tolist() for row in range(5)] == [[7], [8, 9], [], [], []]
