"""Undo: no cache of the sheet shows an order of rows that was undone."""

from __future__ import annotations

import numpy as np

import whence
from whence.notebook.sheet.order import Order


def at_address(order: Order, rows: list[int], address: int) -> Order:
    """Another order of these rows, at this address if Python gives it away again, as it mostly does at once."""
    made = []
    for _ in range(1_000):
        made.append(order.select(np.array(rows, dtype=np.int64)))
        if id(made[-1]) == address:
            break
    return made[-1]


def test_an_order_at_the_address_of_one_that_was_undone_is_another_order(quiet: whence.Workspace) -> None:
    sheet = quiet.sheet(quiet.create("data", [(2,), (1,), (3,)], "a int")).insert_column("f", after="a")
    log = sheet.set(0, "f", "=A1*10")._log
    state, cells, plain = log.state, log.cells, log.state.order
    shown = dict(zip(("a", "f"), state.shown, strict=True))

    def arrange(order: Order) -> tuple[list[object], list[int]]:
        state.order, state.version = order, state.version + 1
        return cells.column_values(shown["a"]).values.to_pylist(), cells.formulas(shown["f"])[0].tolist()

    for _ in range(3):
        assert arrange(plain.select(np.array([1, 0, 2], dtype=np.int64))) == ([1, 2, 3], [1])
        address, state.order = id(state.order), plain
        assert arrange(at_address(plain, [0, 2, 1], address)) == ([2, 3, 1], [0])


def test_another_sort_after_an_undo_shows_its_own_order(quiet: whence.Workspace) -> None:
    sheet = quiet.sheet(quiet.create("data", [(2, 1), (1, 3), (3, 2)], "a int, b int"))
    sheet.sort("a").set_where("[@a] > 1", "b", 0)
    assert sheet.apply("by_a").to_arrow().to_pydict() == {"a": [1, 2, 3], "b": [3, 0, 0]}
    sheet.undo().undo().sort("b")
    assert sheet.apply("by_b").to_arrow().to_pydict() == {"a": [2, 3, 1], "b": [1, 2, 3]}
