"""Random queries for the bounds oracle alone: spreads, functions that keep order, dates, and grouping sets."""

import math
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from tests.oracles.expressions import Apply, Col, Expr, Type
from tests.oracles.queries import Agg, Aggregate, AggregateName, Item, Project, Query, Rollup
from tests.oracles.random_queries import Queries

SPREADS: tuple[AggregateName, ...] = (
    "median", "stddev_samp", "stddev_pop", "var_samp", "var_pop", "sum distinct", "avg",
)  # fmt: skip

START = date(2024, 1, 30)
DAY = "date_add(date'2024-01-30', cast({0} as int))"
WHOLE = "cast({1} as int)"


def _day(number: int) -> date:
    return START + timedelta(days=number)


def _months_later(number: int, months: int) -> date:
    day = _day(number)
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _far(day: date) -> int:
    return (day - date(1970, 1, 1)).days


Function = tuple[str, Callable[..., Any], int, Type]

FUNCTIONS: tuple[Function, ...] = (
    ("abs({0})", abs, 1, "int"),
    ("cast(sign({0}) as bigint)", lambda x: (x > 0) - (x < 0), 1, "int"),
    ("cbrt({0})", lambda x: math.copysign(abs(x) ** (1 / 3), x), 1, "float"),
    ("atan({0})", math.atan, 1, "float"),
    ("ln({0})", lambda x: math.log(x) if x > 0 else None, 1, "float"),
    ("(-{0})", lambda x: -x, 1, "int"),
    ("({0} % 3)", lambda x: int(math.fmod(x, 3)), 1, "int"),
    ("(({0} * 2) % -5)", lambda x: int(math.fmod(2 * x, 5)), 1, "int"),
    ("({0} div 2)", lambda x: int(x / 2), 1, "int"),
    ("({0} div (abs({1}) + 1))", lambda x, y: int(x / (abs(y) + 1)), 2, "int"),
    ("power({0}, 2)", lambda x: float(x) ** 2, 1, "float"),
    ("power({0}, 3)", lambda x: float(x) ** 3, 1, "float"),
    ("power(abs({0}), 0.5)", lambda x: abs(x) ** 0.5, 1, "float"),
    ("power(abs({0}) + 1, -2)", lambda x: (abs(x) + 1.0) ** -2, 1, "float"),
    ("nullif({0}, 1)", lambda x: None if x == 1 else x, 1, "int"),
    ("({0} in (1, 3))", lambda x: x in (1, 3), 1, "bool"),
    ("({0} between 1 and 2)", lambda x: 1 <= x <= 2, 1, "bool"),
    ("cast(floor({0} / 2) as bigint)", lambda x: x // 2, 1, "int"),
    (f"cast(year({DAY}) as bigint)", lambda x: _day(x).year, 1, "int"),
    (f"cast(month({DAY}) as bigint)", lambda x: _day(x).month, 1, "int"),
    (f"cast(day({DAY}) as bigint)", lambda x: _day(x).day, 1, "int"),
    (f"cast(quarter({DAY}) as bigint)", lambda x: (_day(x).month + 2) // 3, 1, "int"),
    (f"cast(dayofyear({DAY}) as bigint)", lambda x: _day(x).timetuple().tm_yday, 1, "int"),
    (f"cast(dayofweek({DAY}) as bigint)", lambda x: _day(x).isoweekday() % 7 + 1, 1, "int"),
    (f"cast(unix_date(trunc({DAY}, 'month')) as bigint)", lambda x: _far(_day(x).replace(day=1)), 1, "int"),
    (
        f"cast(unix_date(add_months({DAY}, cast({{1}} as int))) as bigint)",
        lambda x, y: _far(_months_later(x, y)),
        2,
        "int",
    ),
    (
        f"cast(datediff({DAY}, date_sub(date'2024-03-01', cast({{1}} as int))) as bigint)",
        lambda x, y: x + y - 31,
        2,
        "int",
    ),
    (f"cast(unix_date(last_day({DAY})) as bigint)", lambda x: _far(_months_later(x, 1).replace(day=1)) - 1, 1, "int"),
)


@dataclass
class BoundQueries(Queries):
    """Makes queries of what only bounds look at."""

    def spreads(self, depth: int) -> Query:
        """Quantiles and standard deviations of groups."""
        child = self.query(depth - 1)
        keys = tuple(self.key(child) for _ in range(self.rng.choice((0, 1, 1))))
        return Aggregate(child, keys, tuple(self._spread(child, keys) for _ in range(3)))

    def _spread(self, child: Query, keys: tuple[Item, ...]) -> Agg:
        function = self.rng.choice(SPREADS)
        argument = self.expressions(child).other("int", self.rng.randint(0, 1), [key.expr for key in keys])
        return Agg(self.name(), function, argument, "int" if function == "sum distinct" else "float")

    def functions(self, depth: int) -> Query:
        """Functions of numbers and dates."""
        child = self.query(depth - 1)
        return Project(child, tuple(self._applied(child) for _ in range(4)))

    def _applied(self, child: Query) -> Item:
        text, compute, arity, kind = self.rng.choice(FUNCTIONS)
        made = self.expressions(child)
        operands: list[Expr] = [made.of("int", self.rng.randint(0, 1)) for _ in range(arity)]
        return Item(self.name(), Apply(text, compute, tuple(operands)), kind)

    def rollup(self, depth: int) -> Query:
        """Grouping sets."""
        child = self.query(depth - 1)
        columns = self.rng.sample([one for one in child.columns if one.type != "bool"] or child.columns, 1)
        keys = tuple(Item(self.name(), Col(one.name), one.type) for one in columns)
        return Rollup(child, keys, tuple(self.agg(child, keys) for _ in range(2)))
