"""Queries, and for each what makes a row of it the same row in another run, written down in plain Python.

A source row is (token, values): its token is its content and which of the equal rows it is. A query gives
(token, values) for each row of its answer: tokens follow the definition of row keys and never look at positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

Tagged = list[tuple[Any, tuple[Any, ...]]]
Answer = Callable[[Tagged, Tagged], Iterable[tuple[Any, tuple[Any, ...]]]]

T = "k string, x int, xs array<int>"
U = "k string, y int"


def tagged(rows: Sequence[tuple[Any, ...]]) -> Tagged:
    """Rows with their tokens: content and occurrence."""
    seen: Counter[Any] = Counter()
    answer: Tagged = []
    for row in rows:
        content = tuple(tuple(value) if isinstance(value, list) else value for value in row)
        answer.append(((content, seen[content]), content))
        seen[content] += 1
    return answer


def _groups(rows: Iterable[tuple[Any, Any]]) -> list[tuple[Any, list[Any]]]:
    ordered = sorted(rows, key=lambda pair: repr(pair[0]))
    return [(key, [value for _, value in group]) for key, group in groupby(ordered, key=lambda pair: pair[0])]


def _total(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _sums(t: Tagged) -> list[tuple[Any, int | None]]:
    return [(k, _total(xs)) for k, xs in _groups((v[0], v[1]) for _, v in t)]


def _pairs(t: Tagged, u: Tagged) -> list[tuple[Any, Any, Any, Any]]:
    return [(a, v, b, w) for a, v in t for b, w in u if v[0] is not None and v[0] == w[0]]


def _left(t: Tagged, u: Tagged) -> list[tuple[Any, Any, Any, Any]]:
    pairs = _pairs(t, u)
    matched = {a for a, *_ in pairs}
    return [*pairs, *((a, v, None, (None, None)) for a, v in t if a not in matched)]


def _full(t: Tagged, u: Tagged) -> list[tuple[Any, Any, Any, Any]]:
    matched = {b for _, _, b, _ in _pairs(t, u)}
    return [*_left(t, u), *((None, (None, None, None), b, w) for b, w in u if b not in matched)]


def _keys(rows: Tagged) -> set[Any]:
    return {v[0] for _, v in rows}


def _in(t: Tagged, u: Tagged) -> Tagged:
    return [(a, v) for a, v in t if v[0] in _keys(u) - {None}]


def _distinct(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, tuple[Any, ...]]]:
    return [(("values", row), row) for row in dict.fromkeys(rows)]


def _rollup(t: Tagged) -> list[tuple[Any, tuple[Any, ...]]]:
    by_k = [(("k", k), (k, total)) for k, total in _sums(t)]
    return [*by_k, (("all",), (None, _total(v[1] for _, v in t)))]


def _elements(t: Tagged) -> list[tuple[Any, tuple[Any, ...]]]:
    return [((a, n), (v[0], e)) for a, v in t for n, e in enumerate(v[2])]


def _elements_outer(t: Tagged) -> list[tuple[Any, tuple[Any, ...]]]:
    return [((a, n), (v[0], e)) for a, v in t for n, e in (enumerate(v[2]) if v[2] else [(None, None)])]


def _left_of_sums(t: Tagged, u: Tagged) -> list[tuple[Any, tuple[Any, ...]]]:
    sums = dict(_sums(t))
    return [
        (
            (b, ("k", w[0]) if w[0] in sums and w[0] is not None else None),
            (w[1], sums.get(w[0]) if w[0] is not None else None),
        )
        for b, w in u
    ]


def _full_of_keys(t: Tagged, u: Tagged) -> list[tuple[Any, tuple[Any, ...]]]:
    left, right = _keys(t), _keys(u)
    both = [((k, k), (1, 1)) for k in left & right if k is not None]
    only_left = [((k, "none"), (1, None)) for k in left if k is None or k not in right]
    only_right = [(("none", k), (None, 1)) for k in right if k is None or k not in left]
    return [*both, *only_left, *only_right]


QUERIES: dict[str, Answer] = {
    "select x, k from t": lambda t, u: [(a, (v[1], v[0])) for a, v in t],
    "select x + 1 as z from t where x > 1 order by x": lambda t, u: [(a, (v[1] + 1,)) for a, v in t if (v[1] or 0) > 1],
    "select k, sum(x) s from t group by k": lambda t, u: [((k,), (k, s)) for k, s in _sums(t)],
    "select sum(x) s from t group by k": lambda t, u: [((k,), (s,)) for k, s in _sums(t)],
    "select s from (select upper(k) kk, sum(x) s from t group by upper(k))": lambda t, u: [
        ((k,), (s,)) for k, s in _sums(t)
    ],
    "select s + 1 as s1, q as r from (select k as q, sum(x) s from t group by k) where s is not null": lambda t, u: [
        ((k,), (s + 1, k)) for k, s in _sums(t) if s is not None
    ],
    "select count(*) n, sum(x) s from t": lambda t, u: [((), (len(t), _total(v[1] for _, v in t)))],
    "select distinct k, x from t": lambda t, u: _distinct(v[:2] for _, v in t),
    "select x from (select distinct k, x from t)": lambda t, u: [
        (token, (row[1],)) for token, row in _distinct(v[:2] for _, v in t)
    ],
    "select k from t union select k from u": lambda t, u: _distinct((v[0],) for _, v in [*t, *u]),
    "select k from t intersect select k from u": lambda t, u: _distinct((k,) for k in _keys(t) & _keys(u)),
    "select k from t except select k from u": lambda t, u: _distinct((k,) for k in _keys(t) - _keys(u)),
    "select k, x from t union all select k, y from u union all select k, x from t": lambda t, u: [
        *((("first", a), v[:2]) for a, v in t),
        *((("second", b), w) for b, w in u),
        *((("third", a), v[:2]) for a, v in t),
    ],
    "select sum(x) s from t group by k union all select y from u union all select 7": lambda t, u: [
        *((("group", k), (s,)) for k, s in _sums(t)),
        *((("row", b), (w[1],)) for b, w in u),
        (("one",), (7,)),
    ],
    "select t.x, u.y from t join u on t.k = u.k": lambda t, u: [((a, b), (v[1], w[1])) for a, v, b, w in _pairs(t, u)],
    "select t.x, u.y from t left join u on t.k = u.k": lambda t, u: [
        ((a, b), (v[1], w[1])) for a, v, b, w in _left(t, u)
    ],
    "select t.x, u.y from t full join u on t.k = u.k": lambda t, u: [
        ((a, b), (v[1], w[1])) for a, v, b, w in _full(t, u)
    ],
    "select u.y, g.s from u left join (select k, sum(x) s from t group by k) g on u.k = g.k": _left_of_sums,
    "select g.one, h.one as two from (select k, 1 as one from t group by k) g "
    "full join (select k, 1 as one from u group by k) h on g.k = h.k": _full_of_keys,
    "select x from t where k in (select k from u)": lambda t, u: [(a, (v[1],)) for a, v in _in(t, u)],
    "select s from (select k, sum(x) s from t group by k) where k in (select k from u)": lambda t, u: [
        ((k,), (s,)) for k, s in _sums(t) if k in _keys(u) - {None}
    ],
    "select x from t where exists (select 1 from u where u.k = t.k) or x = 1": lambda t, u: [
        (a, (v[1],)) for a, v in t if v[1] == 1 or v[0] in _keys(u) - {None}
    ],
    "select x from t left anti join u on t.k = u.k": lambda t, u: [
        (a, (v[1],)) for a, v in t if v[0] is None or v[0] not in _keys(u)
    ],
    "select k, (select max(y) from u) m from t": lambda t, u: [
        (a, (v[0], max((w[1] for _, w in u if w[1] is not None), default=None))) for a, v in t
    ],
    "select x, sum(x) over (partition by k) s from t": lambda t, u: [(a, (v[1], dict(_sums(t))[v[0]])) for a, v in t],
    "select x, (select max(y) from u where u.k = t.k) m from t": lambda t, u: [
        (a, (v[1], max((w[1] for _, w in u if w[0] == v[0] is not None and w[1] is not None), default=None)))
        for a, v in t
    ],
    "select k, explode(xs) e from t": lambda t, u: _elements(t),
    "select k, e from (select k, explode_outer(xs) e from t)": lambda t, u: _elements_outer(t),
    "select e from (select k, posexplode(xs) as (p, e) from t) where e > 1": lambda t, u: [
        (token, row[1:]) for token, row in _elements(t) if row[1] > 1
    ],
    "select k, inline(transform(xs, v -> struct(v % 2 as odd, 1 as one))) from t": lambda t, u: [
        (token, (row[0], row[1] % 2, 1)) for token, row in _elements(t)
    ],
    "select b from (select k, inline_outer(transform(xs, v -> struct(v, v % 2))) as (a, b) from t)": lambda t, u: [
        (token, (None if row[1] is None else row[1] % 2,)) for token, row in _elements_outer(t)
    ],
    "select a, k, b from t lateral view stack(3, x, 'x', 7, 'seven', x, 'x') as a, b": lambda t, u: [
        ((token, number), (a, v[0], b))
        for token, v in t
        for number, (a, b) in enumerate(((v[1], "x"), (7, "seven"), (v[1], "x")))
    ],
    "select stack(2, k, x, k) from t": lambda t, u: [
        ((token, number), row) for token, v in t for number, row in enumerate(((v[0], v[1]), (v[0], None)))
    ],
    "select k, sum(x) s from t group by rollup(k)": lambda t, u: _rollup(t),
    "select e, sum(x) s from (select x, explode(xs) e from t) group by e": lambda t, u: [
        ((e,), (e, _total(xs))) for e, xs in _groups((e, v[1]) for _, v in t for e in v[2])
    ],
}
