"""Axis labels that shrink, turn, are cut or left out instead of overlapping (Wu 2015, section 6.6.6)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

_SIZE = 11
_SMALLEST = 8
_WIDE = 0.58
"""The mean width of a letter as a share of the font size."""
_LONGEST = 150
"""The most pixels of a label. Vega cuts off longer ones."""


def label_axis(labels: Sequence[str], pixels: float, *, is_vertical: bool) -> dict[str, object]:
    """Return the properties of a category axis whose labels share so many pixels.

    >>> label_axis(["a", "b"], 200, is_vertical=False)
    {'labelAngle': 0, 'labelFontSize': 11, 'labelLimit': 150}
    >>> label_axis(["a rather long name"] * 8, 200, is_vertical=False)["labelAngle"]
    -40
    """
    step = pixels / max(len(labels), 1)
    longest = max((len(label) for label in labels), default=1)
    look: dict[str, object] = {"labelAngle": 0, "labelFontSize": _SIZE, "labelLimit": _LONGEST}
    if is_vertical:
        if step < _SIZE + 2:
            look |= {"labelFontSize": max(_SMALLEST, min(_SIZE, int(step - 2))), "labelOverlap": "parity"}
        return look
    # First smaller, then slanted, then vertical with some left out.
    for size in range(_SIZE, _SMALLEST, -1):
        if longest * size * _WIDE <= step - 4:
            return {**look, "labelFontSize": size}
    if step >= _SIZE + 3:
        # Vega compares the upright boxes of slanted labels, and would leave most of them out.
        return {**look, "labelAngle": -40, "labelLimit": 110, "labelOverlap": False}
    size = max(_SMALLEST, min(_SIZE, int(step - 1)))
    return {**look, "labelAngle": -90, "labelFontSize": size, "labelLimit": 110, "labelOverlap": "parity"}


def time_format(moments: Sequence[object]) -> str:
    """Return the format of times given in milliseconds: as days, unless some of them are within a day.

    >>> time_format([0, 86_400_000]), time_format([3_600_000])
    ('%Y-%m-%d', '%Y-%m-%d %H:%M')
    """
    is_days = all(float(str(each)) % 86_400_000 == 0 for each in moments)
    return "%Y-%m-%d" if is_days else "%Y-%m-%d %H:%M"


def value_labels(kind: str, values: Sequence[object]) -> list[str]:
    """Return the labels of single values.

    >>> value_labels("time", [86_400_000]), value_labels("number", [1.0, 2.5])
    (['1970-01-02'], ['1', '2.5'])
    """
    if kind == "time":
        form = time_format(values)
        return [datetime.fromtimestamp(float(str(each)) / 1000, UTC).strftime(form) for each in values]
    return [f"{each:.6g}" if isinstance(each, float) else str(each) for each in values]
