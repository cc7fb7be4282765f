"""The text of a notebook comes back exactly as it was, whatever its cells say, and compares line by line."""

from __future__ import annotations

import difflib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.model.errors import BadInput
from whence.model.notebook import CellVersion
from whence.notebook.exchange.text import Content, from_text, to_text

lines = st.sampled_from(["", "select 1", "%% sql", "% name = 1", "\\%% x", "\\\\% y", "%", " %% ", "ä\r", "\\", "--"])
sources = st.one_of(st.lists(lines, min_size=1, max_size=5).map("\n".join), st.text(max_size=20))
jsons = st.one_of(st.integers(), st.text(max_size=5), st.booleans(), st.lists(st.text(max_size=3), max_size=3))
values = st.fixed_dictionaries(
    {}, optional={"source": st.one_of(sources, jsons), "name": st.text(max_size=5), "by": jsons}
)
cells = st.builds(CellVersion, st.sampled_from(["sql", "markdown", "load"]), values)


def some_frozen(content: Content) -> st.SearchStrategy[Content]:
    places = st.frozensets(st.sampled_from(range(len(content.cells)))) if content.cells else st.just(frozenset())
    return places.map(lambda frozen: replace(content, frozen=frozen))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.builds(Content, st.text(max_size=8), st.lists(cells, max_size=5).map(tuple)).flatmap(some_frozen))
def test_what_is_written_is_read_again(content: Content) -> None:
    assert from_text(to_text(content)) == content


def test_the_text_reads_well_and_a_change_is_a_changed_line() -> None:
    cells = (
        CellVersion("markdown", {"source": "# Prices"}),
        CellVersion("sql", {"name": "totals", "source": "select kind,\n  sum(price)\nfrom parts"}),
        CellVersion("sample", {"name": "some", "source": "totals", "seed": 3, "share": 0.5}),
    )
    text = to_text(Content("tour", cells, frozenset({2})))
    assert text == (
        'whence notebook 1: "tour"\n\n%% markdown\n# Prices\n\n'
        '%% sql\n% name = "totals"\nselect kind,\n  sum(price)\nfrom parts\n\n'
        '%% sample, frozen\n% name = "some"\n% seed = 3\n% share = 0.5\ntotals\n'
    )
    changed = CellVersion("sql", {"name": "totals", "source": "select kind,\n  max(price)\nfrom parts"})
    other = to_text(Content("tour", (cells[0], changed, cells[2]), frozenset({2})))
    found = [line for line in difflib.ndiff(text.splitlines(), other.splitlines()) if line[0] in "+-"]
    assert found == ["-   sum(price)", "+   max(price)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "This is not a notebook of whence"),
        ("whence notebook 1: tour", "does not end in a name in quotes"),
        ('whence notebook 1: "a"\n\nselect 1\n', "Line 3 of the notebook belongs to no cell: select 1"),
        (
            'whence notebook 1: "a"\n\n%% sql\n% name = one\nselect 1\n',
            "Line 4 of the notebook is not `% name = value`",
        ),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        from_text(text)
