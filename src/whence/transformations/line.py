"""Fits a straight line to columns in Spark: sums of products, solved by least squares on the driver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.model.errors import UserError
from whence.plan.sql_text import quoted
from whence.transformations.given import Given


@dataclass(frozen=True)
class Line:
    """A prediction as a SQL expression, and in words."""

    sql: str
    said: str


def fit_line(given: Given, target: str, inputs: Sequence[str]) -> Line:
    """The line through the rows in which target and inputs are all known; missing inputs give no prediction."""
    terms = ["1D", *(f"cast({quoted(name)} as double)" for name in inputs)]
    goal = f"cast({quoted(target)} as double)"
    known = " and ".join(f"{quoted(name)} is not null" for name in (target, *inputs))
    pairs = [(row, column) for row in range(len(terms)) for column in range(row + 1)]
    sums = [f"sum({terms[row]} * {terms[column]})" for row, column in pairs]
    sums += [f"sum({term} * {goal})" for term in terms]
    found = given.learn(*sums, where=known)
    if found[0] is None:
        raise UserError(f"No row of {given.label} teaches a model of {target}.", "Use a constant.")
    numbers = [float(str(value)) for value in found]
    products = np.zeros((len(terms), len(terms)))
    for (row, column), value in zip(pairs, numbers, strict=False):
        products[row, column] = products[column, row] = value
    weights = np.linalg.lstsq(products, np.array(numbers[len(pairs) :]), rcond=None)[0].tolist()
    sql = " + ".join(f"{weight!r}D * {term}" for weight, term in zip(weights, terms, strict=True))
    words = " + ".join([f"{weights[0]:.4g}", *(f"{w:.4g} {name}" for w, name in zip(weights[1:], inputs, strict=True))])
    return Line(f"({sql})", words)
