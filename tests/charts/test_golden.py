"""Charts are what they were: every geom with every stat, position and scale over every kind of column."""

from __future__ import annotations

import pytest

from tests.charts.golden import COLUMNS, cases, digests, gallery, recorded

HINT = "Compare `python -m tests.charts.golden show GROUP` before and after; then `./dev generate --records charts`."


@pytest.mark.parametrize("columns", COLUMNS)
def test_every_combination_of_operators_is_drawn_as_before(columns: str) -> None:
    before = {group: digest for group, digest in recorded().items() if group.startswith(f"{columns}:")}
    assert digests(cases(columns)) == before, HINT


def test_the_gallery_is_drawn_as_before() -> None:
    before = {group: digest for group, digest in recorded().items() if group.startswith("gallery:")}
    assert digests(gallery()) == before, HINT
