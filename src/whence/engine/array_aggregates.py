"""Computes the aggregates of a query for each group: which rows they measure, and what they give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import numpy as np
import numpy.typing as npt

from whence.engine.array_expressions import ArrayExpressions
from whence.engine.array_groups import AGGREGATES, GroupedNumbers
from whence.engine.array_values import ArrayValues, NotInArrays
from whence.plan.expr import LAMBDA, LAMBDA_VARIABLE, Expr, call

_WHISKERS = {
    ("array_min", "greaterthanorequal"): GroupedNumbers.first_from,
    ("array_max", "lessthanorequal"): GroupedNumbers.last_up_to,
}


def measured_exprs(exprs: Iterable[Expr]) -> tuple[Expr, ...]:
    """Return what the aggregates in some expressions read of each row, each once."""
    found = (_measured(node) for each in exprs for node in each.walk() if node.kind == "aggregate")
    return tuple(dict.fromkeys(each for each in found if each is not None))


def _measured(aggregate: Expr) -> Expr | None:
    """Return what an aggregate reads of a row; None if it only counts rows."""
    if aggregate.condition is not None or aggregate.is_distinct or not aggregate.args:
        raise NotInArrays(aggregate.name)
    first, *others = aggregate.args
    if aggregate.name == "count":
        if others:
            raise NotInArrays("count of several columns")
        return None if first.kind == "literal" and first.value is not None else call("isnotnull", first)
    if aggregate.name not in (*AGGREGATES, "percentile", "collect_list", "collectlist"):
        raise NotInArrays(aggregate.name)
    return first


def aggregated(
    exprs: Iterable[Expr], measures: Mapping[Expr, ArrayValues], groups: npt.NDArray[np.int32], count: int
) -> dict[Expr, ArrayValues]:
    """Return the value of each aggregate in some expressions for each group. `measures` are values of rows."""
    return _Aggregates(measures, groups, count).of(tuple(exprs))


class _Aggregates:
    def __init__(self, measures: Mapping[Expr, ArrayValues], groups: npt.NDArray[np.int32], count: int) -> None:
        self._measures, self._groups, self._count = measures, groups, count
        self._numbers: dict[Expr, GroupedNumbers] = {}

    def of(self, exprs: tuple[Expr, ...]) -> dict[Expr, ArrayValues]:
        """Return single aggregates first: the ends of whiskers are computed from quartiles."""
        nodes = tuple(dict.fromkeys(node for each in exprs for node in each.walk()))
        found = dict(self._plain(nodes))
        found |= {node: self._item(node) for node in nodes if _is_item_of_percentiles(node)}
        quartiles = ArrayExpressions(found)
        return found | {node: self._whisker(node, quartiles) for node in nodes if _is_whisker(node)}

    def _plain(self, nodes: Iterable[Expr]) -> Iterator[tuple[Expr, ArrayValues]]:
        for node in nodes:
            if node.kind == "aggregate" and node.name == "count":
                yield node, self._rows(node)
            elif node.kind == "aggregate" and node.name in AGGREGATES:
                yield node, AGGREGATES[node.name](self._of(node.args[0]))
            elif node.kind == "aggregate" and node.name == "percentile" and node.args[1].name != "createarray":
                yield node, self._of(node.args[0]).percentile(_share(node, node.args[1]))

    def _rows(self, node: Expr) -> ArrayValues:
        read = _measured(node)
        groups = self._groups if read is None else self._groups[self._measures[read].is_true]
        return ArrayValues(np.bincount(groups, minlength=self._count).astype(np.int64), "bigint")

    def _item(self, node: Expr) -> ArrayValues:
        percentiles, place = node.args
        shares = percentiles.args[1].args
        return self._of(percentiles.args[0]).percentile(_share(percentiles, shares[cast(int, place.value)]))

    def _whisker(self, node: Expr, quartiles: ArrayExpressions) -> ArrayValues:
        values, condition = node.args[0].args
        claim, variable = condition.args
        reach = _WHISKERS.get((_plain_name(node), claim.name))
        if reach is None or claim.args[0] != variable:
            raise NotInArrays(node.name)
        return reach(self._of(values.args[0]), quartiles.evaluate(claim.args[1]))

    def _of(self, measured: Expr) -> GroupedNumbers:
        if measured not in self._numbers:
            self._numbers[measured] = GroupedNumbers(self._groups, self._count, self._measures[measured])
        return self._numbers[measured]


def _share(percentile: Expr, share: Expr) -> float:
    """Return which share of the rows lies below a percentile that counts each row once."""
    if any(each.value != 1 for node in percentile.args[2:] for each in node.walk() if each.kind == "literal"):
        raise NotInArrays("frequencies")
    return float(ArrayExpressions({}).evaluate(share).numbers)


def _is_item_of_percentiles(node: Expr) -> bool:
    """Whether it is `percentile(y, array(...))[0]`, as in box plots."""
    if node.name != "getarrayitem" or node.args[0].name != "percentile" or node.args[1].kind != "literal":
        return False
    return node.args[0].args[1].name == "createarray"


def _is_whisker(node: Expr) -> bool:
    """Whether it is `array_min(filter(collect_list(y), e -> ...))`, as in box plots."""
    if _plain_name(node) not in ("array_min", "array_max") or node.args[0].name != "arrayfilter":
        return False
    values, condition = node.args[0].args
    is_collected = values.kind == "aggregate" and values.name in ("collect_list", "collectlist")
    return is_collected and condition.name == LAMBDA and condition.args[1].name == LAMBDA_VARIABLE


def _plain_name(node: Expr) -> str:
    return {"arraymin": "array_min", "arraymax": "array_max"}.get(node.name, node.name)
