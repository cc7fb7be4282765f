"""Orders of rows against plain lists: every way to change one, many after each other."""

from __future__ import annotations

import random

import numpy as np
import pytest

from whence.notebook.sheet import order as orders
from whence.notebook.sheet.order import Order


def rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def check(order: Order, model: list[int]) -> None:
    assert order.count == len(model)
    assert order.rows.tolist() == model
    assert not order.is_plain or model == list(range(len(model)))
    places = np.arange(len(model), dtype=np.int64)
    assert order.take(places).tolist() == model
    assert [order.row(place) for place in range(len(model))] == model
    asked = rows(*range(max(model, default=0) + 3))
    where = {row: place for place, row in enumerate(model)}
    assert order.positions(asked).tolist() == [where.get(row, -1) for row in asked.tolist()]
    assert [order.position(row) for row in model[:5]] == list(range(len(model)))[:5]
    middle = len(model) // 2
    assert order.at(middle, middle + 3).tolist() == model[middle : middle + 3]
    if order.stretches is not None:
        assert [number for start, stop in order.stretches for number in range(start, stop)] == model


def changed(dice: random.Random, order: Order, model: list[int], fresh: int) -> tuple[Order, list[int], int]:
    some = sorted(dice.sample(range(len(model)), dice.randint(0, min(3, len(model)))))
    if len(model) > 80 and dice.random() < 0.1:
        some = sorted(dice.sample(range(len(model)), 70))
    match dice.randrange(5):
        case 0 | 1:
            at, count = dice.randint(0, len(model)), dice.randint(1, 3)
            new = list(range(fresh, fresh + count))
            return order.with_rows(at, rows(*new)), model[:at] + new + model[at:], fresh + count
        case 2:
            gone = set(some)
            return order.without(rows(*some)), [row for place, row in enumerate(model) if place not in gone], fresh
        case 3:
            at = dice.randint(0, len(model))
            rest = [row for place, row in enumerate(model) if place not in some]
            target = at - sum(place < at for place in some)
            moving = [model[place] for place in some]
            return order.moved(rows(*some), at), rest[:target] + moving + rest[target:], fresh
        case _:
            if dice.random() < 0.7:
                return order, model, fresh
            chosen = dice.sample(range(len(model)), dice.randint(len(model) // 2, len(model)))
            return order.select(rows(*chosen)), [model[place] for place in chosen], fresh


@pytest.mark.parametrize("seed", range(40))
def test_an_order_is_what_a_list_would_be(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "_MOST_PIECES", random.Random(seed).choice([3, 10, 2_000]))
    dice = random.Random(seed)
    fresh = dice.choice([0, 1, 5, 120])
    order, model = Order(fresh), list(range(fresh))
    for _ in range(40):
        before, was = order, list(model)
        order, model, fresh = changed(dice, order, model, fresh)
        check(order, model)
        before.let_go()
        check(before, was)


def test_rows_put_in_and_taken_out_again_leave_one_stretch() -> None:
    order = Order(1_000_000_000).with_rows(17, rows(1_000_000_000)).without(rows(17))
    assert order.stretches == [(0, 1_000_000_000)]
    assert order.row(999_999_999) == 999_999_999


def test_an_order_is_plain_only_while_nothing_was_done() -> None:
    start = Order(3)
    assert start.is_plain
    for done in (
        start.without(rows(2)),
        start.with_rows(3, rows(3)),
        start.moved(rows(0), 0),
        start.select(rows(0, 1)),
    ):
        assert not done.is_plain
