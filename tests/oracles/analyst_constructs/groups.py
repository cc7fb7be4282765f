"""Constructs that group rows, and those that turn them."""

from __future__ import annotations

from tests.oracles.analyst_constructs.parts import choose_keys, choose_measures, choose_one
from tests.oracles.analyst_writer import Relation, Writer


def group_rows(w: Writer, a: Relation) -> Relation:
    keys = choose_keys(w, a, w.dice.randint(1, 2))
    having = w.dice.choice(["", "", " having count(*) > 1"])
    return w.select(keys | choose_measures(w, a), f"from {a.source} a group by {', '.join(keys)}{having}")


def aggregate(w: Writer, depth: int) -> Relation:
    return group_rows(w, w.relation(depth - 1))


def group_by_all(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    return w.select(choose_keys(w, a, 2) | choose_measures(w, a), f"from {a.source} a group by all")


def group_by_sets(w: Writer, a: Relation) -> Relation:
    keys = choose_keys(w, a, 2)
    listed = list(keys)
    both, one = ", ".join(listed), listed[0]
    clause = w.dice.choice([f"rollup({both})", f"cube({both})", f"grouping sets (({both}), ({one}), ())"])
    measures = choose_measures(w, a) | {f"grouping({one})": "int"}
    return w.select(keys | measures, f"from {a.source} a group by {clause}")


def grouping_sets(w: Writer, depth: int) -> Relation:
    a = w.write(w.dice.choice(["UNION ALL", "join", "VALUES", "projection"]), depth - 1)
    return group_by_sets(w, a)


def session_windows(w: Writer, depth: int) -> Relation:
    """Sessions over days; how long one stays open without a row may depend on the row."""
    a = w.relation(depth - 1) if w.dice.random() < 0.5 else w.table(w.dice.choice(["orders", "shops", "weather"]))
    gap = w.dice.choice(["'36 hours'", "'2 days'", f"case when {w.condition(a, 'a')} then '1 day' else '3 days' end"])
    session = f"session_window(cast({w.column(a, 'date', 'a')} as timestamp), {gap})"
    keys = choose_keys(w, a, w.dice.randint(0, 1))
    shown = choose_one(w, {f"cast(session_window.{end} as date)": "date" for end in ("start", "end")})
    having = w.dice.choice(["", "", " having count(*) > 1"])
    return w.select(
        keys | shown | choose_measures(w, a), f"from {a.source} a group by {', '.join([*keys, session])}{having}"
    )


def percentiles(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    number = w.dice.choice([w.column(a, "double", "a"), w.column(a, "int", "a")])
    forms = {
        f"percentile({number}, 0.25)": "double",
        f"median({number})": "double",
        f"percentile_cont(0.5) within group (order by {number})": "double",
    }
    return w.select(choose_keys(w, a, 1) | choose_one(w, forms), f"from {a.source} a group by all")


def approximate(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    number = w.column(a, "double", "a")
    forms = {
        f"approx_percentile({number}, 0.5)": "double",
        f"approx_count_distinct({w.column(a, 'string', 'a')})": "int",
    }
    return w.select(choose_keys(w, a, 1) | choose_one(w, forms), f"from {a.source} a group by all")


def collected_values(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    word, number = w.column(a, "string", "a"), w.column(a, "int", "a")
    forms = {
        f"sort_array(collect_list({number}))": "array",
        f"sort_array(collect_set({word}))": "array",
        f"listagg({word}, ',') within group (order by {word})": "string",
        f"max(struct({number} as p, {word} as q)).q": "string",
        f"count_if({w.condition(a, 'a')})": "int",
        f"bool_or({w.condition(a, 'a')})": "bool",
    }
    return w.select(choose_keys(w, a, 1) | choose_one(w, forms), f"from {a.source} a group by all")


def pivot(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    key, word, number = w.column(a, "int", "a"), w.column(a, "string", "a"), w.value(a, "int", "a")
    inner = w.select({key: "int", word: "string", f"{number} + 0": "int"}, f"from {a.source} a")
    key, word, number = inner.columns
    first, second = w.name(), w.name()
    measure = w.dice.choice([f"sum({number})", f"max({number})", "count(*)"])
    text = f"select * from {inner.source} pivot ({measure} for {word} in ('a' as {first}, 'b' as {second}))"
    return Relation(f"({text})", {key: "int", first: "int", second: "int"} | _unread_key(measure, number))


def _unread_key(measure: str, number: str) -> dict[str, str]:
    """A column that no aggregate of a pivot reads is one of its keys."""
    return {} if number in measure else {number: "int"}


def unpivot(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    one, two = f"{w.value(a, 'int', 'a')} + 0", f"{w.value(a, 'int', 'a')} + 2"
    inner = w.select({w.column(a, "string", "a"): "string", one: "int", two: "int"}, f"from {a.source} a")
    key, first, second = inner.columns
    value, name = w.name(), w.name()
    nulls = w.dice.choice(["", "include nulls "])
    text = f"select * from {inner.source} unpivot {nulls}({value} for {name} in ({first}, {second}))"
    return Relation(f"({text})", {key: "string", name: "string", value: "int"})
