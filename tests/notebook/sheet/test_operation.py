"""Operations as JSON: what may be left out, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from whence.model.errors import BadInput
from whence.notebook.sheet.operations.fill_down import FillDown
from whence.notebook.sheet.operations.insert_column import InsertColumn
from whence.notebook.sheet.operations.insert_row import InsertRow
from whence.notebook.sheet.operations.registry import operation
from whence.notebook.sheet.operations.replace import ReplaceText

DEFAULTS = [
    (FillDown("1", "k:x", "c:a", None), "where"),
    (InsertColumn("1", "new", "c:a"), "type"),
    (InsertRow("1", "k:x"), "count"),
    (ReplaceText("1", "fig", "kiwi", ("c:a",)), "whole_cell"),
]
FILL: dict[str, Any] = {"kind": "fill_down", "id": "1", "row": "k:x", "column": "c:a", "last": None}


@pytest.mark.parametrize(("wanted", "left_out"), DEFAULTS)
def test_a_field_that_is_left_out_takes_its_default(wanted: Any, left_out: str) -> None:  # noqa: ANN401
    content = wanted.to_json()
    assert operation(content) == wanted
    del content[left_out]
    assert operation(content) == wanted


def test_a_field_without_a_default_must_be_there() -> None:
    with pytest.raises(BadInput, match=r"^The sheet operation fill_down cannot be read: its field last is missing\."):
        operation({name: value for name, value in FILL.items() if name != "last"})


def test_a_field_that_the_operation_does_not_have_is_refused() -> None:
    with pytest.raises(
        BadInput, match=r"^The sheet operation fill_down cannot be read: it has no use for the field were\."
    ):
        operation({**FILL, "were": None})
