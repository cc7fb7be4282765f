"""The page of a notebook: items fit the grid, cover nothing, and come back from JSON as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.model.errors import BadInput
from whence.model.page import (
    GRID_COLUMNS,
    Control,
    PageItem,
    check_items,
    item_from_json,
    item_to_json,
    settle,
)

CONTROLS = st.one_of(
    st.builds(Control, st.just("slider"), st.just(0), st.integers(1, 9), st.none() | st.floats(0.1, 2)),
    st.builds(Control, st.just("select"), choices=st.tuples(st.text(max_size=5), st.integers(), st.booleans())),
    st.just(Control("dates", until="last")),
    st.just(Control("checkbox")),
)


@st.composite
def drawn_items(draw: st.DrawFn) -> PageItem:
    x = draw(st.integers(0, GRID_COLUMNS - 1))
    shows = draw(st.sampled_from(["chart", "table", "text", "input"]))
    return PageItem(
        shows=shows,  # type: ignore[arg-type]  # one of the texts above
        name=draw(st.text(min_size=1, max_size=8)),
        x=x,
        y=draw(st.integers(0, 12)),
        width=draw(st.integers(1, GRID_COLUMNS - x)),
        height=draw(st.integers(1, 6)),
        title=draw(st.text(max_size=5)),
        control=draw(CONTROLS) if shows == "input" else None,
    )


@given(drawn_items())
def test_an_item_comes_back_from_json_as_it_was(item: PageItem) -> None:
    assert item_from_json(item_to_json(item)) == item


def fields(item: PageItem) -> set[tuple[int, int]]:
    """Every field of the grid that an item stands on."""
    return {(x, y) for x in range(item.x, item.x + item.width) for y in range(item.y, item.y + item.height)}


@given(st.lists(drawn_items(), max_size=12), st.integers(0, 11))
def test_settled_items_cover_no_other_and_only_move_down(items: list[PageItem], place: int) -> None:
    first = items[place % len(items) : place % len(items) + 1] if items else []
    settled = settle(items, first)
    taken = [field for item in settled for field in fields(item)]
    assert len(taken) == len(set(taken)), "no field is taken twice"
    assert sum(item.y for item in settled) >= sum(item.y for item in items)
    assert [(each.y, each.x) for each in settled] == sorted((each.y, each.x) for each in settled)
    assert all(item in settled for item in first), "the item that is moved stays where it was put"
    assert settle(settled) == settled


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (PageItem("chart", x=8, width=6), "not on the page"),
        (PageItem("chart", y=-1), "not on the page"),
        (PageItem("chart", height=0), "not on the page"),
        (PageItem("chart", title="x" * 201), "at most 200 letters"),
        (PageItem("chart", control=Control("text")), "nothing else has one"),
        (PageItem("input", "least"), "needs a parameter and a control"),
        (PageItem("input", control=Control("text")), "needs a parameter and a control"),
        (PageItem("input", "least", control=Control("slider", 3, 3)), "a least and a greatest value"),
        (PageItem("input", "town", control=Control("select")), "choices"),
        (PageItem("input", "first", control=Control("dates")), "the parameter of the last day"),
        (PageItem("map"), "cannot show"),  # type: ignore[arg-type]
    ],
)
def test_items_that_do_not_fit_are_refused(item: PageItem, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        check_items([item])


def test_one_output_is_on_a_page_once() -> None:
    twice = [PageItem("table", "T", cell="c1"), PageItem("table", "t", cell="c1", y=9)]
    with pytest.raises(BadInput, match="table of cell c1 is on the page twice"):
        check_items(twice)


@pytest.mark.parametrize("content", [{}, {"shows": 3}, {"shows": "chart", "deep": 1}, {"shows": "table", "name": 3}])
def test_json_that_is_no_item_is_refused(content: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        item_from_json(content)
