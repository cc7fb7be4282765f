"""Random steps: each as a call on a pipeline of whence, and as what it means in plain Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import whence
from tests.pipeline.replay import Item, Replay, Row, Why, filled, grouped, same, statistic, union

NAMES = [("a", 1), ("b", 2), ("c", 3), ("c", 4)]
"""The rows of the dataset `names` (s1 string, m int) that pipelines join."""


def texts(replay: Replay) -> list[str]:
    return [name for name in replay.columns if name.startswith("s") and name not in replay.frozen]


def numbers(replay: Replay) -> list[str]:
    return [name for name in replay.columns if name.startswith("n") and name not in replay.frozen]


def q(name: str) -> str:
    return f"`{name}`"


def make_step(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    """Put one random step on both; nothing where the table has nothing to put it on."""
    step, needs_texts, needs_numbers, _ = rng.choices(STEPS, [each[3] for each in STEPS])[0]
    has_columns = len(replay.columns) > 2 or step not in NARROWING
    if len(texts(replay)) >= needs_texts and len(numbers(replay)) >= needs_numbers and has_columns:
        replay.begin()
        if step(rng, p, replay) is not False:
            replay.end()


def drop_columns(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    gone = rng.sample(replay.columns, 1)
    p.drop_columns(gone)
    replay.drop_columns(gone)


def select(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    kept = rng.sample(replay.columns, len(replay.columns) - 1)
    p.select(kept)
    replay.drop_columns([name for name in replay.columns if name not in kept])
    replay.columns = kept


def keep_above(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name, bound = rng.choice(numbers(replay)), rng.randint(-1, 1)
    p.filter(f"{q(name)} >= {bound}")
    replay.keep(lambda row: row.value(name) is not None and row.value(name) >= bound)


def drop_rows(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(numbers(replay))
    p.drop_rows(f"{q(name)} < 0")
    replay.keep(lambda row: row.value(name) is None or not row.value(name) < 0)


def drop_missing(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    names = rng.sample(replay.columns, 1)
    p.drop_missing(names)
    replay.keep(lambda row: all(row.value(name) is not None for name in names))


def drop_duplicates(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    names = rng.sample(replay.columns, 2)
    p.drop_duplicates(names)
    seen: set[tuple[object, ...]] = set()

    def is_first(row: Row) -> bool:
        key = tuple(row.value(name) for name in names)
        is_new = key not in seen
        seen.add(key)
        return is_new

    replay.keep(is_first)


def impute(rng: random.Random, p: whence.Pipeline, replay: Replay) -> bool | None:
    name, method = rng.choice(numbers(replay)), rng.choice(["mean", "median", "mode"])
    every = list(replay.rows)
    if not filled(every, name):  # nothing to fill from, which is refused
        return False
    p.impute({name: method})
    fill(replay, name, lambda row: every, method)
    return None


def impute_by(rng: random.Random, p: whence.Pipeline, replay: Replay) -> bool | None:
    name, by = rng.choice(numbers(replay)), rng.choice(texts(replay))
    every = list(replay.rows)
    if not filled(every, name):
        return False
    p.impute({name: "mode"}, by=[by])

    def group(row: Row) -> list[Row]:
        own = [each for each in every if same(each.value(by), row.value(by))]
        return own if filled(own, name) else every

    fill(replay, name, group, "mode", by)
    return None


def fill(replay: Replay, name: str, group: Callable[[Row], list[Row]], method: str, by: str = "") -> None:
    learned = {
        row.record: (
            statistic(group(row), name, method),
            union(r.items[name].why for r in filled(group(row), name)),
        )
        for row in replay.rows
    }

    def make(row: Row) -> tuple[object, Why]:
        old, (value, cells) = row.items[name], learned[row.record]
        if old.value is not None or value is None:
            return old.value, old.why
        return value, old.why | cells | (row.items[by].why if by else frozenset())

    replay.write(name, make, [by] if by else [], only_changed=True)


def add_other(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    """Reads another column too; some values stay as they are."""
    name, other = rng.sample(numbers(replay), 2)
    p.transform([name], f"{{}} + coalesce({q(other)}, 0)")

    def make(row: Row) -> tuple[object, Why]:
        own = row.value(name)
        return None if own is None else own + (row.value(other) or 0), row.items[name].why | row.items[other].why

    replay.write(name, make, [other])


def recode(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name, codes = rng.choice(texts(replay)), {"a": "b", " b": "b"}
    p.transform([name], codes)
    replay.write(name, lambda row: (codes.get(row.value(name), row.value(name)), row.items[name].why))


def replace(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    names = texts(replay)
    p.replace({"a": None}, names)
    for name in names:
        replay.write(name, partial(without_a, name))


def without_a(name: str, row: Row) -> tuple[Any, Why]:
    return None if row.value(name) == "a" else row.value(name), row.items[name].why


def binarize(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(numbers(replay))
    p.binarize({name: 0})
    replay.write(name, lambda row: (None if row.value(name) is None else int(row.value(name) > 0), row.items[name].why))


def derive(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    one, two = rng.sample(numbers(replay), 2)
    new, gone = f"n{replay.step}d", rng.choice([[], [one]])
    p.derive({new: f"{q(one)} - {q(two)}"}, drop=gone)

    def make(row: Row) -> tuple[object, Why]:
        left, right = row.value(one), row.value(two)
        value = None if left is None or right is None else left - right
        return value, row.items[one].why | row.items[two].why

    replay.write(new, make, [one, two])
    replay.drop_columns(gone)


def one_hot(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(texts(replay))
    values = sorted({row.value(name) for row in filled(replay.rows, name)})
    p.one_hot([name])
    for value in values:
        new = f"{name}_{value}"
        replay.write(new, partial(is_value, name, value), [name])
        replay.frozen.add(new)
    replay.drop_columns([name])


def is_value(name: str, value: object, row: Row) -> tuple[Any, Why]:
    return int(row.value(name) == value), row.items[name].why


def string_index(rng: random.Random, p: whence.Pipeline, replay: Replay) -> bool | None:
    name = rng.choice(texts(replay))
    new = f"{name}_index"
    if new in replay.columns:
        return False
    p.string_index([name], keep=True)
    values = [row.value(name) for row in filled(replay.rows, name)]
    order = sorted(set(values), key=lambda value: (-values.count(value), value))
    cells = union(row.items[name].why for row in filled(replay.rows, name))

    def make(row: Row) -> tuple[object, Why]:
        return None if row.value(name) is None else order.index(row.value(name)), row.items[name].why | cells

    replay.write(new, make, [name])
    replay.frozen.add(new)
    return None


def rename(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(replay.columns)
    p.rename({name: f"{name}.r"})
    replay.rename(name, f"{name}.r")


def normalize(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(numbers(replay))
    p.normalize([name])
    values = [float(row.value(name)) for row in filled(replay.rows, name)]
    cells = union(row.items[name].why for row in filled(replay.rows, name))
    low, high = (min(values), max(values)) if values else (0.0, 0.0)

    def make(row: Row) -> tuple[object, Why]:
        own = row.value(name)
        scaled = 0.0 if high == low else (float(own or 0) - low) / (high - low)
        return None if own is None else scaled, row.items[name].why | cells

    replay.write(name, make)
    replay.frozen.add(name)


def discretize(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(numbers(replay))
    p.discretize({name: [0, 2]})

    def make(row: Row) -> tuple[object, Why]:
        own = row.value(name)
        return None if own is None else sum(own >= cut for cut in (0, 2)), row.items[name].why

    replay.write(name, make)


def python_function(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(numbers(replay))
    p.transform([name], at_least_one)
    replay.write(name, lambda row: (at_least_one(row.value(name)), row.items[name].why))


def at_least_one(value: int | None) -> int | None:
    return None if value is None else max(value, 1)


def generate(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name, by = rng.choice(numbers(replay)), rng.choice(texts(replay))
    p.generate(by=[by], values={name: f"max({q(name)})"})

    def row_of(rows: list[Row]) -> dict[str, Item]:
        keys = [row.items[by] for row in rows]
        made = {each: Item(None, frozenset()) for each in replay.columns}
        made[by] = grouped(rows[0].value(by), keys)
        highest = max((row.value(name) for row in filled(rows, name)), default=None)
        made[name] = grouped(highest, [*keys, *(row.items[name] for row in rows)])
        return made

    replay.add([row_of(rows) for rows in groups(replay.rows, by)])


def group_by(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name, by = rng.choice(numbers(replay)), rng.choice(texts(replay))
    p.group_by([by], {"nmax": f"max({q(name)})", "n": "count(*)"})

    def row_of(rows: list[Row]) -> dict[str, Item]:
        keys = [row.items[by] for row in rows]
        highest = max((row.value(name) for row in filled(rows, name)), default=None)
        return {
            by: grouped(rows[0].value(by), keys),
            "nmax": grouped(highest, [*keys, *(row.items[name] for row in rows)]),
            "n": grouped(len(rows), keys),
        }

    made = [row_of(rows) for rows in groups(replay.rows, by)]
    replay.regroup([by, "nmax", "n"], made)


def over_partition(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    """An aggregate of all rows that are equal in a column."""
    name, by, function = rng.choice(numbers(replay)), rng.choice(texts(replay)), rng.choice(["max", "avg"])
    new = f"n{replay.step}w"
    p.derive({new: f"{function}({q(name)}) over (partition by {q(by)})"})

    def value(_: Row, frame: list[Row]) -> object:
        values = [row.value(name) for row in filled(frame, name)]
        if not values:
            return None
        return max(values) if function == "max" else sum(values) / len(values)

    look_around(replay, new, [by], [name], value, lambda row: alike(replay, row, by))
    if function == "avg":
        replay.frozen.add(new)


def running_sum(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    """Of the rows up to this one in the order of a column, rows that tie with it among them."""
    (name, by), group = rng.sample(numbers(replay), 2), rng.choice(texts(replay))
    new = f"n{replay.step}w"
    p.derive({new: f"sum({q(name)}) over (partition by {q(group)} order by {q(by)})"})

    def frame(row: Row) -> list[Row]:
        return [each for each in alike(replay, row, group) if place(each, by) <= place(row, by)]

    def value(_: Row, rows: list[Row]) -> object:
        return sum(row.value(name) for row in filled(rows, name)) if filled(rows, name) else None

    look_around(replay, new, [group, by], [name], value, frame)


def rank(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    """It reads the rows before those that tie with it."""
    by, group, new = rng.choice(numbers(replay)), rng.choice(texts(replay)), f"n{replay.step}w"
    p.derive({new: f"rank() over (partition by {q(group)} order by {q(by)})"})

    def lower(row: Row) -> list[Row]:
        return [each for each in alike(replay, row, group) if place(each, by) < place(row, by)]

    look_around(replay, new, [group, by], [], lambda _, rows: 1 + len(rows), lower)


def neighbour(rng: random.Random, p: whence.Pipeline, replay: Replay) -> bool | None:
    """The row before or after in the order of two columns, if no two rows tie."""
    (name, by), group = rng.sample(numbers(replay), 2), rng.choice(texts(replay))
    keys = [(row.value(group), place(row, by), place(row, name)) for row in replay.rows]
    if len(set(keys)) < len(keys):
        return False
    function, new = rng.choice(["lag", "lead"]), f"n{replay.step}w"
    p.derive({new: f"{function}({q(name)}) over (partition by {q(group)} order by {q(by)}, {q(name)})"})

    def nearby(row: Row) -> list[Row]:
        rows = sorted(alike(replay, row, group), key=lambda each: (place(each, by), place(each, name)))
        number = rows.index(row) + (-1 if function == "lag" else 1)
        return [rows[number]] if 0 <= number < len(rows) else []

    look_around(replay, new, [group, by, name], [name], lambda _, rows: rows[0].value(name) if rows else None, nearby)
    return None


def look_around(
    replay: Replay,
    new: str,
    keys: list[str],
    reads: list[str],
    value: Callable[[Row, list[Row]], object],
    around: Callable[[Row], list[Row]],
) -> None:
    """A window function: keys are read of the row and of those around it, its arguments of the latter."""
    made = {}
    for row in replay.rows:
        rows = around(row)
        cells = [row.items[key] for key in keys]
        cells += [each.items[name] for each in rows for name in dict.fromkeys([*keys, *reads])]
        made[row.record] = grouped(value(row, rows), cells)
    replay.make_column(new, made, dict.fromkeys([*keys, *reads]))


def alike(replay: Replay, row: Row, by: str) -> list[Row]:
    return [each for each in replay.rows if same(each.value(by), row.value(by))]


def place(row: Row, by: str) -> tuple[bool, int]:
    """Missing values come first."""
    return row.value(by) is not None, row.value(by) or 0


def groups(rows: list[Row], by: str) -> list[list[Row]]:
    found: dict[object, list[Row]] = {}
    for row in rows:
        found.setdefault(row.value(by), []).append(row)
    return [found[key] for key in sorted(found, key=lambda key: (key is not None, key or ""))]


def order(rng: random.Random, p: whence.Pipeline, replay: Replay) -> None:
    name = rng.choice(numbers(replay))
    p.sort([f"-{name}"])
    replay.rows.sort(key=lambda row: (row.value(name) is None, 0 if row.value(name) is None else -row.value(name)))
    for row in replay.rows:
        replay.record_steps[row.record].append(replay.step)


STEPS: list[tuple[Callable[..., bool | None], int, int, float]] = [
    (drop_columns, 0, 0, 2), (select, 0, 0, 2), (keep_above, 0, 1, 2), (drop_rows, 0, 1, 2), (drop_missing, 0, 0, 3),
    (drop_duplicates, 0, 0, 3), (impute, 0, 1, 4), (impute_by, 1, 1, 3), (add_other, 0, 2, 3), (recode, 1, 0, 3),
    (replace, 1, 0, 3), (binarize, 0, 1, 2), (derive, 0, 2, 3), (one_hot, 1, 0, 2), (string_index, 1, 0, 1),
    (rename, 0, 0, 3), (normalize, 0, 1, 2), (discretize, 0, 1, 2), (python_function, 0, 1, 1), (generate, 1, 1, 1),
    (group_by, 1, 1, 0.5), (order, 0, 1, 1), (over_partition, 1, 1, 1), (running_sum, 1, 2, 1), (rank, 1, 1, 1),
    (neighbour, 1, 2, 4),
]  # fmt: skip

NARROWING = (drop_columns, select, one_hot)
"""A table of two columns keeps them: some step must always be possible."""
