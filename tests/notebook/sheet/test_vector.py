"""Vectors: values and errors of many rows at once."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from whence.notebook.sheet.formula.errors import DIV, REF, FormulaError, error
from whence.notebook.sheet.formula.vector import Vector


@pytest.mark.parametrize("codes", [(REF, DIV), (DIV, REF), (DIV, DIV), (REF, REF)])
def test_places_outside_a_column_fail_as_references_whatever_failed_inside(codes: tuple[str, str]) -> None:
    inside = dict(enumerate(map(error, codes)))
    vector = Vector.of(pa.array([None, None, 5]), inside, np.array([-1, 0, 1, 2, 3], dtype=np.int64))
    assert vector.codes is not None
    found: list[FormulaError | None] = [vector.error(place) if vector.codes[place] else None for place in range(5)]
    assert found == [error(REF), inside[0], inside[1], None, error(REF)]
