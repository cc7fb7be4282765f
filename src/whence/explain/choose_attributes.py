"""Choose the columns that can explain: not constants, keys, copies of the measure, or copies of the grouping."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.explain.arrays import Ints
from whence.explain.attribute import FAR, FINE, Attribute, numbered, ordered
from whence.explain.coding import floats, times
from whence.explain.mirror import MeasureRows
from whence.explain.time_part import NAMED, PartName, TimePart

_FEW = 12
"""An integer column with at most so many distinct values counts as a name rather than a quantity."""

_PURE = 0.95
"""From this share of rows on whose bin tells their group, a column is a copy of the grouping."""
_KEYLIKE = 0.5
"""Above this share of distinct values, a text column counts as a key."""


@dataclass(frozen=True)
class Candidate:
    """A column that might explain, itself (`is_whole`) and by its parts."""

    name: str
    values: pa.Array
    parts: tuple[PartName, ...] = ()
    is_whole: bool = True


@dataclass(frozen=True)
class ChosenAttributes:
    """The attributes to explain with, and for each other column the reason why it is left out."""

    attributes: tuple[Attribute, ...]
    left_out: dict[str, str]


def choose_attributes(
    candidates: Iterable[Candidate],
    owner: Ints,
    groups: int,
    *,
    is_wish: bool,
    rows: int | None = None,
    measured: MeasureRows | None = None,
) -> ChosenAttributes:
    """Return the attributes to search, and the reason why each other column is left out.

    With `is_wish` the user named the columns, so only what cannot work is refused. `rows` is the number of all rows if
    `owner` is a sample. Columns that repeat `measured` are left out.
    """
    fine = FINE if rows is None or rows == len(owner) else FAR
    attributes: list[Attribute] = []
    left_out: dict[str, str] = {}
    for candidate in candidates:
        if candidate.is_whole:
            attribute = make_attribute(candidate.name, candidate.values, fine)
            why = "its type has no values that a condition could name" if attribute is None else ""
            if attribute is not None:
                why = _constant(attribute)
                if not why and not is_wish:
                    # Asked first: of several reasons this one tells users most.
                    why = "" if measured is None else measured.mirror_reason(candidate.values)
                    why = why or _useless(attribute, candidate.values, owner, groups, rows or len(owner))
            if attribute is None or why:
                left_out[candidate.name] = why
            else:
                attributes.append(attribute)
        for attribute in part_attributes(candidate):
            why = _constant(attribute) or ("" if is_wish else _idle_part(attribute, candidate, owner, groups))
            if why:
                left_out[attribute.label] = why
            else:
                attributes.append(attribute)
    return ChosenAttributes(tuple(attributes), left_out)


def make_attribute(name: str, values: pa.Array, fine: int = FINE) -> Attribute | None:
    """Return a column in bins, or None if its type cannot stand in a clause."""
    kind = values.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return ordered(name, floats(values), fine=fine)
    if pa.types.is_date(kind):
        return ordered(name, times(values), "date", fine)
    if pa.types.is_timestamp(kind):
        return ordered(name, times(values), "timestamp", fine)
    if pa.types.is_integer(kind) and pc.count_distinct(values).as_py() > _FEW:
        return ordered(name, floats(values), fine=fine)
    if (
        pa.types.is_integer(kind)
        or pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_boolean(kind)
    ):
        # NULL is a value like any other here: "is missing" may be the explanation.
        encoded = pc.dictionary_encode(values, null_encoding="encode")
        return numbered(
            name, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary.to_pylist()
        )
    return None


def part_attributes(candidate: Candidate) -> list[Attribute]:
    """Return one attribute for each part of a date or time: quantities as ranges, names as values."""
    if not candidate.parts:
        return []
    moments = times(candidate.values)
    made = []
    for name in candidate.parts:
        part = TimePart(name, "date" if pa.types.is_date(candidate.values.type) else "timestamp")
        numbers = part.numbers(moments)
        if name in NAMED:
            listed = np.unique(numbers[~np.isnan(numbers)])
            codes = np.where(np.isnan(numbers), len(listed), np.searchsorted(listed, numbers))
            values = [*(int(number) for number in listed), None]
            attribute = numbered(candidate.name, codes.astype(np.int64), values)
        else:
            attribute = ordered(candidate.name, numbers)
        made.append(replace(attribute, part=part))
    return made


def _constant(attribute: Attribute) -> str:
    used = np.unique(attribute.codes)
    return "it has the same value in every row" if len(used) < 2 else ""


def _nearly_constant(attribute: Attribute) -> str:
    rows = len(attribute.codes)
    counts = np.bincount(attribute.codes, minlength=attribute.width)
    return "it has the same value in nearly every row" if rows - counts.max() < 3 <= rows // 10 else ""


def _useless(attribute: Attribute, values: pa.Array, owner: Ints, groups: int, all_rows: int) -> str:
    why = _nearly_constant(attribute)
    if why:
        return why
    rows, distinct = len(owner), pc.count_distinct(values).as_py()
    is_text = not attribute.is_ordered
    # In small tables many values are distinct without being keys.
    if is_text and distinct > max(50, _KEYLIKE * rows):
        return "nearly every row has a value of its own, as in a key"
    if attribute.is_whole and distinct == rows > 50 and attribute.highs[-1] - attribute.lows[0] < 2 * all_rows:
        return "it numbers the rows"
    return _tied(attribute, owner, groups) if groups > 1 else ""


def _idle_part(attribute: Attribute, candidate: Candidate, owner: Ints, groups: int) -> str:
    """Return why a part explains nothing that the column itself does not, or "".

    A part that never starts over in these rows, such as the hour within one day, orders them as the column does.
    """
    why = _nearly_constant(attribute)
    if not why and candidate.is_whole and attribute.part is not None:
        moments = times(candidate.values)
        known = np.sort(moments[~np.isnan(moments)])
        if np.all(np.diff(attribute.part.numbers(known)) >= 0):
            why = f"in these rows it says no more than ranges of {candidate.name} do"
    return why or (_tied(attribute, owner, groups) if groups > 1 else "")


def _tied(attribute: Attribute, owner: Ints, groups: int) -> str:
    """Return why the attribute only repeats the grouping, or ""."""
    table = np.zeros((groups, attribute.width))
    np.add.at(table, (owner, attribute.codes), 1.0)
    rows = table.sum()
    if (table > 0).sum(axis=1).max() == 1:
        return "it is the same within every group"
    if table.max(axis=0).sum() >= _PURE * rows and (table.sum(axis=0) > 0).sum() >= groups:
        return "almost the same as the grouping"
    return ""
