"""Parameters read values as people write them, and refuse others with a sentence."""

from __future__ import annotations

import pytest

from whence.model.errors import UserError
from whence.model.parameter import Parameter

ROWS = Parameter("rows", "number", "how many rows")


def test_a_number_is_read_from_text_too() -> None:
    assert [ROWS.parse("sample", value) for value in (3, "3", 2.5)] == [3, 3, 2.5]


@pytest.mark.parametrize("value", ["Infinity", "-Infinity", "NaN", float("inf"), "many", True])
def test_what_is_no_whole_number_is_refused_with_a_sentence(value: object) -> None:
    whole = Parameter("rows", "whole", "how many rows")
    with pytest.raises(UserError, match="rows"):
        whole.parse("sample", value)
