"""A dataset in a Python cell: what people try first works, and what does not says what does."""

from __future__ import annotations

import pytest

from tests.notebook.python.conftest import RunPython
from whence.notebook.cell_error import CellFailed
from whence.notebook.display import Stream


def printed(python: RunPython, source: str) -> str:
    return "".join(each.text for each in python(source).displays if isinstance(each, Stream))


def test_a_dataset_shows_its_first_rows_columns_and_size(python: RunPython) -> None:
    source = """
parts = ws["parts"]
print(list(parts.head().id), list(parts.head(2).name), list(parts.head(2).index), parts.head(0).shape)
print(parts.columns, parts.count, len(parts), parts.to_pandas().shape)
"""
    assert printed(python, source) == ("[1, 2, 3, 4] ['a', 'b'] [0, 1] (0, 3)\n['id', 'price', 'name'] 4 4 (4, 3)\n")


def test_the_head_of_a_dataset_keeps_the_identity_of_its_rows(python: RunPython) -> None:
    made = python('ws["some"] = ws["parts"].head(2)').datasets["some"]
    assert made.rows == 2
    assert [python.store.by_id(parent).name for parent in made.parents] == ["parts"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "describe()",
            'AttributeError: A dataset has no describe; a pandas frame has: ws["parts"].to_pandas().describe',
        ),
        (
            "nonsense",
            'AttributeError: A dataset has no nonsense; ws["parts"].to_pandas() gives a pandas frame of its rows.',
        ),
    ],
)
def test_an_attribute_that_is_not_there_leads_to_pandas(python: RunPython, code: str, said: str) -> None:
    with pytest.raises(CellFailed) as failed:
        python(f'ws["parts"].{code}')
    assert failed.value.error.message == said


def test_a_column_in_brackets_leads_to_pandas(python: RunPython) -> None:
    with pytest.raises(CellFailed) as failed:
        python('ws["parts"]["price"]')
    said = "TypeError: A dataset has no ['price']; a pandas frame has: ws[\"parts\"].to_pandas()['price']"
    assert failed.value.error.message == said
