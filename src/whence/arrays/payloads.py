"""Payloads: small values that operators record for output cells, numbers of fixed width or bytes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from whence.arrays.shapes import Ids
from whence.model.errors import BadInput

Values = npt.NDArray[Any]


@dataclass(frozen=True)
class Payload:
    """One value for several cells (`shared`), or one for each of them."""

    values: Values
    shared: bool


def as_payload(payload: object, cells: int) -> Payload:
    """Return what `emit.pay` was given: a number, bytes or a tuple for all cells, or an array with one entry each."""
    if isinstance(payload, bytes):
        return Payload(_of_bytes([payload]), shared=True)
    if isinstance(payload, list) and payload and isinstance(payload[0], bytes):
        values = _of_bytes(payload)
    elif isinstance(payload, tuple):
        return Payload(np.asarray([payload]), shared=True)
    else:
        values = np.asarray(payload)
    if values.ndim == 0:
        return Payload(values[None], shared=True)
    if len(values) != cells:
        raise BadInput(f"emit.pay was given {len(values)} payloads for {cells} cells.", "Give one, or one for each.")
    if values.dtype.kind not in "biufO":
        raise BadInput(f"A payload cannot be {values.dtype}.", "Use numbers or bytes.")
    return Payload(values, shared=False)


def _of_bytes(items: list[bytes]) -> Values:
    values = np.empty(len(items), dtype=object)
    values[:] = items
    return values


def joined(pieces: list[Values]) -> Values:
    """Return all values one after the other; raise BadInput if they are of different kinds."""
    if not pieces:
        return np.empty(0, dtype=np.int64)
    widths = {piece.shape[1:] for piece in pieces}
    if len(widths) > 1 or len({piece.dtype.kind == "O" for piece in pieces}) > 1:
        raise BadInput("emit.pay was given payloads of different kinds.", "Note numbers of one width, or bytes.")
    return np.concatenate(pieces)


def distinct(values: Values) -> tuple[Values, Ids]:
    """Return each distinct value once, and for each place the number of its value."""
    if values.dtype.kind == "O":
        known: dict[bytes, int] = {}
        codes = np.array([known.setdefault(each, len(known)) for each in values], dtype=np.int64)
        return _of_bytes(list(known)), codes
    if not len(values):
        return values, np.empty(0, dtype=np.int64)
    kinds, found = np.unique(values, axis=0, return_inverse=True)
    return kinds, found.ravel().astype(np.int64)


def to_arrays(values: Values) -> dict[str, npt.NDArray[Any]]:
    """Return the values as one-dimensional arrays, as files store them."""
    if values.dtype.kind == "O":
        lengths = np.array([len(each) for each in values], dtype=np.int64)
        data = np.frombuffer(b"".join(values), dtype=np.uint8)
        return {"payload_bytes": data, "payload_lengths": lengths}
    width = values.shape[1] if values.ndim == 2 else 0
    return {"payload": values.ravel(), "payload_width": np.array([width], dtype=np.int64)}


def from_arrays(arrays: dict[str, npt.NDArray[Any]]) -> Values:
    """Return the values that `to_arrays` wrote."""
    if "payload_bytes" in arrays:
        ends = [0, *np.cumsum(arrays["payload_lengths"]).tolist()]
        data = arrays["payload_bytes"].tobytes()
        return _of_bytes([data[start:stop] for start, stop in pairwise(ends)])
    width = int(arrays["payload_width"][0])
    return arrays["payload"].reshape(-1, width) if width else arrays["payload"]
