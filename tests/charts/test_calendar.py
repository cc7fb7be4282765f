"""Charts of dates at the end of the calendar, such as the 9999-12-31 that stands for no end."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import whence


@pytest.mark.parametrize("stat", [{"type": "bin", "maxbins": 7}, {"type": "bin", "unit": "year"}])
def test_the_last_bin_ends_with_the_calendar(ws: whence.Workspace, stat: dict[str, object]) -> None:
    days = ws.create("days", [(date(2020, 1, 1),), (date(9999, 12, 31),)], schema="d date")
    chart = days.chart({"aes": {"x": "d"}, "stat": stat})
    first, last = chart.picture.blocks[0].rows
    assert (first["y"], last["y"]) == (1, 1)
    assert str(last["x2"]).startswith(str(datetime.max.year)) or last["x2"] == pytest.approx(253_402_300_800_000)
