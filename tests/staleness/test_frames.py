"""Columns of frames that are never changed in place are symbols of their own, whatever they are called."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.staleness.notebook_steps import run_cells
from whence.safety import Session
from whence.staleness.paths import Key, Path
from whence.staleness.symbols import Symbol

pytest.importorskip("polars")

BASE = (
    "import polars as pl\nfrom polars import col\nrows = {'a': [1, 2], 'b': [3, 4], 'c': [5, 6]}\n"
    "df = pl.DataFrame(rows)"
)
LAZY = BASE + ".lazy()"
PANDAS = BASE.replace("pl.DataFrame(rows)", "__import__('pandas').DataFrame(rows)")


def stale_after(base: str, make: str, *uses: str) -> set[str]:
    """Which of the cells are stale when the variable `k`, which a column is made from, has changed."""
    session = Session()
    run_cells(session, base=base, k="k = 2", make=make)
    for use in uses:
        run_cells(session, **{use: f"shown = {use}"})
    run_cells(session, k="k = 3")
    return set(session.highlights().stale) & set(uses)


@pytest.mark.parametrize(
    ("base", "make", "stale", "safe"),
    [
        (BASE, "df2 = df.with_columns(d=col('a') * k)", "df2['d']", "df2['a']"),
        (BASE, "df2 = df.with_columns((col('a') * k).alias('a'))", "df2['a']", "df2['b']"),
        (BASE, "df = df.with_columns(d=pl.col('a') * k)", "df['d']", "df['b']"),
        (BASE, "df2 = df.with_columns(d=col('a') * k).rename({'d': 'e'}).drop('b')", "df2['e']", "df2['c']"),
        (BASE, "df2 = df.with_columns(d=col('a') * k).select('d', 'a')", "df2.select('d')", "df2.select('a')"),
        (BASE, "df2 = df.with_columns(d=col('a') * k, a=col('a'))", "df2", "df2['a']"),
        (LAZY, "df2 = df.with_columns(d=col('a') * k)", "df2.select('d')", "df2.select('a')"),
        (PANDAS, "df2 = df.assign(d=df['a'] * k, e=df['b'])", "df2['d']", "df2['e']"),
        (PANDAS, "df2 = df.assign(d=df.a * k).drop(columns=['b']).rename(columns={'d': 'x'})", "df2.x", "df2.a"),
    ],
)
def test_only_the_column_that_was_made_from_it_is_stale(base: str, make: str, stale: str, safe: str) -> None:
    assert stale_after(base, make, stale, safe) == {stale}


@pytest.mark.parametrize("make", ["df2 = df.filter(col('a') > k)", "df2 = df.head(k)", "df2 = df.with_columns(*[k])"])
def test_what_cannot_be_told_column_by_column_concerns_the_frame(make: str) -> None:
    assert stale_after(BASE, make.replace("*[k]", "*[pl.lit(k).alias('d')]"), "df2['a']") == {"df2['a']"}


def test_a_new_base_makes_every_column_stale() -> None:
    session = Session()
    run_cells(session, base=BASE, make="df2 = df.with_columns(d=col('a'))", use="x = df2['b']")
    run_cells(session, base=BASE.replace("[1, 2]", "[7, 8]"))
    found = session.highlights()
    assert found.stale == {"use"}
    assert found.refresher == {"make"}


def test_a_name_that_is_no_frame_is_read_as_a_whole() -> None:
    session = Session()
    text = "class Soup:\n    def select(self, name):\n        return self.v\n"
    run_cells(session, make=text + "s = Soup()\ns.v = 1", k="k = 1", change="s.v = k", use="x = s.select('a')")
    run_cells(session, k="k = 2")
    assert session.highlights().stale == {"use"}


STEPS: list[Callable[[random.Random], str]] = [
    lambda r: f".with_columns({r.choice('abcd')}=pl.col('{r.choice('abc')}') * {r.choice(['k', 'm', '2'])})",
    lambda r: f".with_columns((pl.col('{r.choice('abc')}') + {r.choice(['k', 'm'])}).alias('{r.choice('abcd')}'))",
    lambda r: (
        f".with_columns({r.choice('abc')}=pl.col('{r.choice('abc')}').cum_sum() + pl.col('a') * {r.choice('km')})"
    ),
    lambda r: ".rename({'a': 'b', 'b': 'a'})",
    lambda r: ".rename({'c': 'z'}).rename({'z': 'c'})",
    lambda r: f".drop('{r.choice('d')}', strict=False)",
    lambda r: f".filter(pl.col('{r.choice('abc')}') > {r.choice(['k', '1'])})",
    lambda r: ".select('c', 'a', (pl.col('b') + m).alias('b'))",
    lambda r: f".with_columns(b=pl.lit({r.choice('km')}))",
    lambda r: ".sort('a')",
]


def ancestors(session: Session, symbol: Symbol) -> set[str]:
    """The symbols a symbol goes back to, as Definition 3 has it, a whole parent with its parts."""
    found: set[Symbol] = set()
    pending = [symbol]
    while pending:
        for parent, whole in pending.pop().parents.items():
            inner = set(session.lineage.with_parts(parent) if whole else [parent]) - found
            found |= inner
            pending += inner
    return {str(parent.path) for parent in found}


@pytest.mark.parametrize("seed", range(40))
def test_whatever_changes_a_column_is_among_its_ancestors(seed: int) -> None:
    """The oracle: run the same chain with another value, and see which columns came out different."""
    chance = random.Random(seed)
    chain = "".join(chance.choice(STEPS)(chance) for _ in range(chance.randint(1, 4)))
    target = chance.choice(["df", "df2"])
    session = Session()
    run_cells(session, base=BASE, k="k = 2", m="m = 3", make=f"{target} = df{chain}")
    made: Any = session.namespace[target]
    for name, other in (("k", 1), ("m", 9)):
        namespace: dict[str, Any] = {"k": 2, "m": 3, name: other}
        exec(f"{BASE}\nother = df{chain}", namespace)
        for column in made.columns:
            if not made[column].equals(namespace["other"][column]):
                symbol = session.lineage.resolve(Path(target, (Key("item", column),)), session.namespace)
                assert symbol is not None
                binding = session.lineage.names[target]
                assert name in ancestors(session, symbol[0]) | ancestors(session, binding), (chain, column)
