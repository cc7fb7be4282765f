"""Fits a straight line to columns in Spark: sums of products, solved by least squares on the driver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.model.errors import UserError
from whence.plan.sql_text import quoted, typed
from whence.transformations.input_table import InputTable


@dataclass(frozen=True)
class Line:
    """A fitted line, as a SQL expression and in words."""

    sql: str
    words: str


def fit_line(table: InputTable, target: str, inputs: Sequence[str]) -> Line:
    """Fit a line to the rows in which target and inputs are known; it predicts nothing where an input is missing."""
    terms = ["1D", *(f"cast({quoted(name)} as double)" for name in inputs)]
    goal = f"cast({quoted(target)} as double)"
    reads = [goal, *terms[1:]]
    known = " and ".join(f"{each} is not null and not isnan({each})" for each in reads)
    pairs = [(row, column) for row in range(len(terms)) for column in range(row + 1)]
    sums = [f"sum({terms[row]} * {terms[column]})" for row, column in pairs]
    sums += [f"sum({term} * {goal})" for term in terms]
    found = table.learn(*sums, where=known)
    if found[0] is None:
        raise UserError(f"No row of {table.label} teaches a model of {target}.", "Use a constant.")
    numbers = [float(str(value)) for value in found]
    products = np.zeros((len(terms), len(terms)))
    # The sums with the target follow after those of the pairs.
    for (row, column), value in zip(pairs, numbers, strict=False):
        products[row, column] = products[column, row] = value
    # Least squares also copes with inputs that depend on one another, for which `solve` would fail.
    solution = np.linalg.lstsq(products, np.array(numbers[len(pairs) :]), rcond=None)[0].tolist()
    # The last digits depend on the linear algebra of the machine; these twelve do not.
    weights = [float(f"{weight:.12g}") for weight in solution]
    sql = " + ".join(f"{typed(weight, 'double')} * {term}" for weight, term in zip(weights, terms, strict=True))
    words = " + ".join([f"{weights[0]:.4g}", *(f"{w:.4g} {name}" for w, name in zip(weights[1:], inputs, strict=True))])
    return Line(f"({sql})", words)
