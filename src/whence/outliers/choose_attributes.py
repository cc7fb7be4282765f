"""Which columns can explain anything: not those that say nothing, or only which row or group it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.outliers.arrays import Floats, Ints
from whence.outliers.attribute import Attribute, numbered, ordered

_FEW = 12
"""A whole number with no more values than that is a name rather than a quantity."""

_PURE = 0.95
_KEYLIKE = 0.5


@dataclass(frozen=True)
class Chosen:
    """Attributes to explain with, and why the other columns are not among them."""

    attributes: tuple[Attribute, ...]
    left_out: dict[str, str]


def choose_attributes(columns: dict[str, pa.Array], owner: Ints, groups: int, *, is_wish: bool) -> Chosen:
    """`is_wish`: the user named the columns, so that only what cannot be done is refused."""
    attributes: list[Attribute] = []
    left_out: dict[str, str] = {}
    for name, values in columns.items():
        attribute = make_attribute(name, values)
        why = "its type has no values that a condition could name" if attribute is None else ""
        if attribute is not None:
            why = _constant(attribute) or ("" if is_wish else _useless(attribute, values, owner, groups))
        if attribute is None or why:
            left_out[name] = why
        else:
            attributes.append(attribute)
    return Chosen(tuple(attributes), left_out)


def make_attribute(name: str, values: pa.Array) -> Attribute | None:
    """The column in bins; None if its type cannot stand in a clause."""
    kind = values.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return ordered(name, _floats(values))
    if pa.types.is_date(kind):
        return ordered(name, _floats(pc.cast(pc.cast(values, pa.date32()), pa.int32())), "date")
    if pa.types.is_timestamp(kind):
        return ordered(name, _floats(pc.cast(pc.cast(values, pa.timestamp("us", kind.tz)), pa.int64())), "timestamp")
    if pa.types.is_integer(kind) and pc.count_distinct(values).as_py() > _FEW:
        return ordered(name, _floats(values))
    if (
        pa.types.is_integer(kind)
        or pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_boolean(kind)
    ):
        encoded = pc.dictionary_encode(values, null_encoding="encode")
        return numbered(
            name, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary.to_pylist()
        )
    return None


def _floats(values: pa.Array) -> Floats:
    return np.asarray(pc.cast(values, pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=np.float64)


def _constant(attribute: Attribute) -> str:
    used = np.unique(attribute.codes)
    return "it has the same value in every row" if len(used) < 2 else ""


def _useless(attribute: Attribute, values: pa.Array, owner: Ints, groups: int) -> str:
    rows = len(owner)
    counts = np.bincount(attribute.codes, minlength=attribute.width)
    if rows - counts.max() < 3 <= rows // 10:
        return "it has the same value in nearly every row"
    distinct = pc.count_distinct(values).as_py()
    is_text = not attribute.is_ordered
    if is_text and distinct > max(50, _KEYLIKE * rows):
        return "nearly every row has a value of its own, as in a key"
    if attribute.is_whole and distinct == rows > 50 and attribute.highs[-1] - attribute.lows[0] < 2 * rows:
        return "it numbers the rows"
    return _tied(attribute, owner, groups) if groups > 1 else ""


def _tied(attribute: Attribute, owner: Ints, groups: int) -> str:
    """The bin tells the group, or the group the bin."""
    table = np.zeros((groups, attribute.width))
    np.add.at(table, (owner, attribute.codes), 1.0)
    rows = table.sum()
    if (table > 0).sum(axis=1).max() == 1:
        return "it is the same within every group"
    if table.max(axis=0).sum() >= _PURE * rows and (table.sum(axis=0) > 0).sum() >= groups:
        return "it tells little but the group a row is in"
    return ""
