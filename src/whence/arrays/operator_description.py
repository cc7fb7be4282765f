"""Describes the operator that made a dataset as JSON, and finds the operator of a description in a later session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from whence.arrays.builtin import BUILT_IN
from whence.arrays.fingerprint import fingerprint
from whence.arrays.operator import Operator


def describe(operator: Operator) -> dict[str, Any]:
    """Return its name, a fingerprint of its code, and its attributes; these are None if JSON cannot hold them."""
    arguments: dict[str, object] | None
    try:
        arguments = {name: _out(value) for name, value in vars(operator).items()}
    except TypeError:
        arguments = None
    return {"name": type(operator).__qualname__, "code": fingerprint(type(operator)), "arguments": arguments}


def find(description: Mapping[str, Any]) -> Operator | None:
    """Return an operator of this name and code whose class this session has defined or imported; None without one."""
    arguments = description["arguments"]
    if arguments is None:
        return None
    for kind in _named(description["name"].rpartition(".")[2]):
        if fingerprint(kind) == description["code"] or kind in BUILT_IN.values():
            # `__init__` may compute or check; the stored attributes are what it left.
            made = kind.__new__(kind)
            vars(made).update({name: _in(value) for name, value in arguments.items()})
            return made
    return None


def _named(name: str) -> Iterator[type[Operator]]:
    if name in BUILT_IN:
        yield BUILT_IN[name]
    waiting: list[type[Operator]] = [Operator]
    while waiting:
        waiting += waiting[0].__subclasses__()
        kind = waiting.pop(0)
        if kind.__name__ == name and name not in BUILT_IN:
            yield kind


def _out(value: object) -> object:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return {"array": value.ravel().tolist(), "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, tuple | list):
        return {"tuple" if isinstance(value, tuple) else "list": [_out(each) for each in value]}
    raise TypeError(value)


def _in(value: Any) -> object:  # noqa: ANN401 - what JSON gives
    match value:
        case {"array": items, "dtype": dtype, "shape": shape}:
            return np.array(items, dtype=np.dtype(dtype)).reshape(shape)
        case {"tuple": items}:
            return tuple(_in(each) for each in items)
        case {"list": items}:
            return [_in(each) for each in items]
    return value
