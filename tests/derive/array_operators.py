"""Operators over arrays and rows that store lineage, for tests of the capture policy."""

from typing import Any

import numpy as np
import pandas as pd

import whence
from whence.arrays import Emit, Operator


class Negate(Operator):
    """Minus the sum of its inputs; lists the cells behind each cell, and can be run again."""

    gives = {whence.Full}

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        for cell in range(inputs[0].size):
            emit(cell, *([cell] for _ in inputs))
        negated: np.ndarray = -sum(inputs)
        return negated


class Shuffle(Negate):
    """The same, but it may not be run again."""

    deterministic = False


def double_amount(rows: pd.DataFrame) -> pd.DataFrame:
    """Each row comes from the row of its place."""
    return rows.assign(amount=rows["amount"] * 2)
