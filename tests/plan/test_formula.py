"""Formulas of columns: what they say, and that a long chain of queries does not make them grow beyond measure."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from whence.explain.evaluate import evaluate
from whence.explain.read_formula import read_formula
from whence.model.dataset import Doubt
from whence.model.errors import NotSupported
from whence.model.ids import DatasetId
from whence.plan.expr import Column, Expr, aggregate, alias, call, literal, ref
from whence.plan.formula import Formula, formulas
from whence.plan.formula_document import arguments, read_formula_of, walk, write_formulas
from whence.plan.step import Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.project import Project
from whence.plan.steps.scan import Scan

V = Column(1, "v", "double")
SCAN = Scan(0, DatasetId("d"), (V,), {"v": 0}, Doubt(frozenset(), False, False), 3)


def one_more(column: Column) -> Expr:
    """Return `case when v > 1 then v + 1 else v - 1 end`."""
    v, one = ref(column), literal(1.0, "double")
    args = (call("greaterthan", v, one), call("add", v, one), call("subtract", v, one))
    return Expr("case", args, name="casewhen")


def chain(levels: int) -> Step:
    step: Step = SCAN
    for number in range(levels):
        column = Column(2 + number, "v", "double")
        step = Project(step, (alias(one_more(step.columns[0]), column),))
    return step


def copied(formula: Formula) -> Formula:
    """The formula as a tree without shared nodes."""
    return json.loads(json.dumps(formula))  # type: ignore[no-any-return]


def stored(plan: Step) -> dict[str, object]:
    document = write_formulas(formulas(plan, [(plan.columns[-1], "v")]))
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]


@pytest.mark.parametrize("levels", [0, 1, 2, 5])
def test_a_formula_is_the_same_after_it_was_stored(levels: int) -> None:
    plan = chain(levels)
    (formula,) = formulas(plan, [(plan.columns[0], "v")]).values()
    assert copied(read_formula_of(stored(plan), "v")) == copied(formula)
    assert len(list(walk(copied(formula)))) == 3**levels + 7 * (3**levels - 1) // 2


def test_a_formula_of_a_long_chain_grows_with_its_length_only() -> None:
    plan, levels = chain(200), 200
    text = json.dumps(stored(plan))
    formula = read_formula_of(stored(plan), "v")
    assert len(list(walk(formula))) <= 8 * levels + 1
    assert len(text) < 1_000 * levels
    values = [0.5, 1.5, -3.0]
    expected = [value + levels if value > 1 else value - levels for value in values]
    assert evaluate(formula, lambda source, column: pa.array(values)).to_pylist() == expected


def test_the_filter_of_an_aggregate_is_shared_like_an_argument() -> None:
    total = aggregate(
        "sum", ref(Column(2, "w", "double")), only=call("greaterthan", ref(Column(2, "w", "double")), ref(V))
    )
    below = Project(SCAN, (ref(V), alias(call("abs", ref(V)), Column(2, "w", "double"))))
    plan = Aggregate(below, (), (alias(total, Column(3, "s", "double")),))
    formula = read_formula_of(stored(plan), "v")
    value, condition = arguments(formula)
    assert condition == {
        "kind": "call",
        "name": "greaterthan",
        "args": [value, {"kind": "column", "source": 0, "column": "v"}],
    }
    assert arguments(condition)[0] is value, "both read the same node"


def test_a_value_that_mixes_aggregates_with_what_they_read_is_refused() -> None:
    """`sum(k) / k` where k is computed: one node stands inside the aggregate and above it."""
    key = ref(Column(2, "k", "double"))
    below = Project(SCAN, (alias(call("abs", ref(V)), Column(2, "k", "double")),))
    share = call("divide", aggregate("sum", key), key)
    plan = Aggregate(below, (key,), (alias(share, Column(3, "s", "double")),))
    with pytest.raises(NotSupported, match="mixes aggregates with the column v"):
        read_formula(read_formula_of(stored(plan), "v"), lambda source, column: pa.array([1.0, -2.0]), 2)
