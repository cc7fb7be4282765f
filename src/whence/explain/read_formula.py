"""Turn the formula of an output column into an aggregate and the measures it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.arithmetic import Leaf, arithmetic
from whence.explain.aggregates.black_box import BlackBox
from whence.explain.aggregates.count import Count
from whence.explain.aggregates.count_distinct import CountDistinct
from whence.explain.aggregates.quantile import Quantile
from whence.explain.aggregates.registry import AGGREGATES
from whence.explain.arrays import Columns, Floats
from whence.explain.evaluate import Read, evaluate
from whence.model.errors import NotSupported
from whence.plan.formula import Formula
from whence.plan.formula_document import arguments, walk

_OPERATIONS: dict[str, Callable[..., Floats]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": lambda x, y: np.where(y == 0, np.nan, x / np.where(y == 0, 1.0, y)),
    "unaryminus": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
    "pow": np.power,
    "cast": lambda x: x,
    "round": lambda x, digits: _rounded(x, int(np.max(digits))),
}

_HINT = "Or give the aggregate yourself: aggregate=function, measure=column."


def aggregates_in(formula: Formula) -> list[Formula]:
    """Return the aggregates of a formula, in order."""
    return [node for node in walk(formula) if node["kind"] == "aggregate"]


def columns_in(formula: Formula) -> set[tuple[int, str]]:
    """Return the source columns that a formula reads."""
    return {(cast(int, node["source"]), str(node["column"])) for node in walk(formula) if node["kind"] == "column"}


def read_formula(formula: Formula, read: Read, rows: int) -> tuple[Aggregate, Columns]:
    """Return the aggregate of a formula, and its measures for every row."""
    measures: list[Floats] = []
    leaves: list[Leaf] = []
    for node in aggregates_in(formula):
        aggregate, columns = _leaf(node, read, rows)
        leaves.append(Leaf(aggregate, tuple(range(len(measures), len(measures) + len(columns)))))
        measures += columns
    if formula["kind"] == "aggregate":
        return leaves[0].aggregate, tuple(measures)
    return arithmetic(leaves, _combination(formula)), tuple(measures)


def _combination(formula: Formula) -> Callable[[Sequence[Floats]], Floats]:
    _check(formula)
    nodes = _above_aggregates(formula)
    # Places, not ids of objects: the function is sent to other processes.
    places = {id(node): place for place, node in enumerate([*aggregates_in(formula), *nodes])}
    steps = [(node, [places[id(each)] for each in arguments(node)]) for node in nodes]

    def combine(values: Sequence[Floats]) -> Floats:
        known = list(values)
        with np.errstate(all="ignore"):
            for node, args in steps:
                known.append(_value(node, [known[place] for place in args]))
        return known[-1]

    return combine


def _above_aggregates(formula: Formula) -> list[Formula]:
    """Return the nodes that are computed from aggregates, arguments first."""
    nodes = walk(formula, lambda node: [] if node["kind"] == "aggregate" else arguments(node))
    return [node for node in nodes if node["kind"] != "aggregate"]


def _value(node: Formula, args: list[Floats]) -> Floats:
    if node["kind"] == "literal":
        return np.array(np.nan if node["value"] is None else float(str(node["value"])))
    return _coalesced(args) if node["name"] == "coalesce" else _OPERATIONS[str(node["name"])](*args)


def _rounded(values: Floats, digits: int) -> Floats:
    """Round half away from zero, as SQL does. NumPy rounds half to even."""
    scaled = values * 10.0**digits
    return np.sign(scaled) * np.floor(np.abs(scaled) + 0.5) / 10.0**digits


def _coalesced(values: list[Floats]) -> Floats:
    first = values[0]
    for other in values[1:]:
        first = np.where(np.isnan(first), other, first)
    return first


def _check(formula: Formula) -> None:
    """Raise NotSupported unless the formula can be computed from aggregates and literals alone."""
    for node in _above_aggregates(formula):
        match node["kind"]:
            case "literal":
                pass
            case "column":
                raise NotSupported(f"The value mixes aggregates with the column {node['column']}.", _HINT)
            case "unknown":
                raise NotSupported(f"The aggregate cannot be told from the query: it has {node['why']}.", _HINT)
            case _ if node["name"] not in (*_OPERATIONS, "coalesce"):
                raise NotSupported(f"The value applies {node['name']} to aggregates, which has no rule.", _HINT)


def _leaf(node: Formula, read: Read, rows: int) -> tuple[Aggregate, list[Floats]]:
    name, args = str(node["name"]), cast("list[Formula]", node["args"])
    if any(inner["kind"] == "aggregate" for arg in args for inner in walk(arg)):
        raise NotSupported(
            "The query aggregates aggregates, so its rows are not stored.",
            "Keep the inner query as a dataset of its own.",
        )
    keep = _filter(node, read, rows)
    if name == "count" or name == "countif":
        return _count(node, args, read, rows, keep)
    if name in ("percentile", "approximatepercentile"):
        share = float(evaluate(args[1], read).as_py())
        return _quantile(name, share), [_number(args[0], read, rows, keep)]
    if name not in AGGREGATES or node.get("distinct"):
        said = f"{name}(distinct)" if node.get("distinct") else name
        raise NotSupported(f"The aggregate {said} has no rule.", _HINT)
    return AGGREGATES[name](), [_number(arg, read, rows, keep) for arg in args]


def _quantile(name: str, share: float) -> Aggregate:
    """Return the aggregate of percentile, which interpolates, or of approx_percentile, which picks a value."""
    if name == "percentile":
        return Quantile(share)

    def nearest(values: Floats) -> float:
        known = values[~np.isnan(values)]
        return float(np.quantile(known, share, method="inverted_cdf")) if len(known) else np.nan

    return BlackBox(nearest)


def _filter(node: Formula, read: Read, rows: int) -> pa.Array | None:
    condition = node.get("filter")
    if not isinstance(condition, dict):
        return None
    return pc.fill_null(_filled(evaluate(condition, read), rows), False)


def _count(
    node: Formula, args: list[Formula], read: Read, rows: int, keep: pa.Array | None
) -> tuple[Aggregate, list[Floats]]:
    values = [_filled(evaluate(arg, read), rows) for arg in args]
    if node["name"] == "countif":
        return Count(), [np.where(_limited_valid(pc.fill_null(values[0], False), None, keep), 1.0, np.nan)]
    valid = np.logical_and.reduce([_limited_valid(None, value, keep) for value in values])
    if not node.get("distinct"):
        return Count(), [np.where(valid, 1.0, np.nan)]
    codes = np.zeros(rows)
    for value in values:
        encoded = (
            pc.dictionary_encode(value).combine_chunks()
            if isinstance(value, pa.ChunkedArray)
            else pc.dictionary_encode(value)
        )
        # One number for each combination of values, as COUNT(DISTINCT a, b) counts combinations.
        codes = codes * (len(encoded.dictionary) + 1) + encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)
    return CountDistinct(), [np.where(valid, codes, np.nan)]


def _limited_valid(flag: Any, value: Any, keep: Any) -> np.ndarray[Any, np.dtype[np.bool_]]:  # noqa: ANN401
    base = flag if flag is not None else pc.is_valid(value)
    both = base if keep is None else pc.and_(base, keep)
    return np.asarray(both.to_numpy(zero_copy_only=False), dtype=np.bool_)


def _number(arg: Formula, read: Read, rows: int, keep: pa.Array | None) -> Floats:
    value = _filled(evaluate(arg, read), rows)
    if not (pa.types.is_floating(value.type) or pa.types.is_integer(value.type) or pa.types.is_boolean(value.type)):
        raise NotSupported(f"The aggregate reads values of type {value.type}, which are no numbers.", _HINT)
    number = pc.cast(value, pa.float64(), safe=False)
    if keep is not None:
        number = pc.if_else(keep, number, pa.scalar(None, pa.float64()))
    return np.asarray(number.to_numpy(zero_copy_only=False), dtype=np.float64)


def _filled(value: Any, rows: int) -> pa.Array:  # noqa: ANN401
    return pa.repeat(value, rows) if isinstance(value, pa.Scalar) else value
