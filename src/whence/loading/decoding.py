"""Types that only say how values are packed, such as dictionaries: the type of the values, and the values."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

_UUID = "arrow.uuid"


def decoded_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of the values behind a dictionary, run ends, a view or an extension.

    >>> decoded_type(pa.dictionary(pa.int8(), pa.string()))
    DataType(string)
    """
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return decoded_type(kind.value_type)
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        return pa.list_(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return pa.string() if kind.extension_name == _UUID else decoded_type(kind.storage_type)
    return kind


def decode(values: pa.Array) -> pa.Array:
    """Return the values behind a dictionary, run ends, a view or an extension."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        return decode(values.dictionary_decode())
    if pa.types.is_run_end_encoded(kind):
        return decode(pc.run_end_decode(values))
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        # Arrow's own cast makes an array of too few offsets where a list is NULL.
        return pa.array(values.to_pylist(), pa.list_(kind.value_type))
    if isinstance(kind, pa.BaseExtensionType):
        if kind.extension_name == _UUID:
            return pa.array([None if value is None else str(value) for value in values.to_pylist()], pa.string())
        return decode(values.storage)
    return values


def decoding_notes(kind: pa.DataType) -> Iterator[str]:
    """Yield what a packed type says and the type of its values does not, as the end of a sentence."""
    if pa.types.is_dictionary(kind) and kind.ordered:
        yield "has categories in an order; the order is not kept."
    if isinstance(kind, pa.BaseExtensionType) and kind.extension_name != _UUID:
        yield f"is of the type {kind.extension_name}; its values are stored as {decoded_type(kind)}."
