"""Constructs that look at the rows around a row."""

from __future__ import annotations

from tests.oracles.analyst_constructs.parts import order_by_all, some_values
from tests.oracles.analyst_writer import Relation, Writer


def add_window(w: Writer, a: Relation) -> Relation:
    order = f"order by {order_by_all(a, 'a')}"
    part = w.dice.choice(["", f"partition by {w.column(a, w.type_of(a), 'a')} "])
    frame = "rows between unbounded preceding and current row"
    forms = {
        f"row_number() over ({part}{order})": "int",
        f"rank() over ({part}{order})": "int",
        f"lag({w.column(a, 'int', 'a')}) over ({part}{order})": "int",
        f"sum({w.column(a, 'int', 'a')}) over ({part}{order} {frame})": "int",
        f"count(*) over ({part or 'partition by 1 '})": "int",
    }
    shown = w.dice.choice(list(forms))
    return w.select(some_values(w, a, "a", 2) | {shown: forms[shown]}, f"from {a.source} a")


def window(w: Writer, depth: int) -> Relation:
    return add_window(w, w.relation(depth - 1))


def range_frame(w: Writer, depth: int) -> Relation:
    del depth
    a = w.table(w.dice.choice(["orders", "weather"]))
    part = w.dice.choice(["", "partition by a.s "])
    frame = w.dice.choice(
        [
            "range between interval 2 days preceding and current row",
            "range between interval 1 days preceding and interval 1 days following",
            "range between unbounded preceding and interval 1 days preceding",
        ]
    )
    number = w.column(a, w.dice.choice(["int", "double"]), "a")
    function = w.dice.choice([f"sum({number})", "count(*)", f"max({number})"])
    over = f"{function} over ({part}order by a.d nulls first {frame})"
    return w.select(some_values(w, a, "a", 2) | {over: "double"}, f"from {a.source} a where a.d is not null")


def qualify(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    part = w.column(a, w.type_of(a), "a")
    order = order_by_all(a, "a")
    clause = w.dice.choice(
        [
            f"row_number() over (partition by {part} order by {order}) <= {w.dice.randint(1, 2)}",
            f"count(*) over (partition by {part}) > 1",
        ]
    )
    return w.select({f"a.{name}": a.columns[name] for name in a.scalars()}, f"from {a.source} a qualify {clause}")
