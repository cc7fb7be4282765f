"""Describes the operator that made a dataset as JSON, and finds the operator of a description in a later session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from whence.arrays.builtin import BUILT_IN
from whence.arrays.fingerprint import fingerprint
from whence.arrays.operator import Operator

_OURS = "whence.arrays"
"""The module of built-in operators as users import them; the one a class is written in may change."""


def describe(operator: Operator) -> dict[str, Any]:
    """Return where its class is, a fingerprint of its code, and its attributes; None if JSON cannot hold these."""
    arguments: dict[str, object] | None
    try:
        arguments = {name: _out(value) for name, value in vars(operator).items()}
    except TypeError:
        arguments = None
    kind = type(operator)
    return {"module": _module(kind), "name": kind.__qualname__, "code": fingerprint(kind), "arguments": arguments}


def find(description: Mapping[str, Any]) -> Operator | None:
    """Return an operator of this class and code if this session has defined or imported the class, or None."""
    arguments = description["arguments"]
    kind = next((each for each in _classes() if _is_described(each, description)), None)
    if arguments is None or kind is None:
        return None
    # `__init__` may compute or check; the stored attributes are what it left.
    made = kind.__new__(kind)
    vars(made).update({name: _in(value) for name, value in arguments.items()})
    return made


def _classes() -> Iterator[type[Operator]]:
    waiting: list[type[Operator]] = [Operator]
    while waiting:
        waiting += waiting[0].__subclasses__()
        yield waiting.pop(0)


def _is_described(kind: type[Operator], description: Mapping[str, Any]) -> bool:
    if (_module(kind), kind.__qualname__) != (description["module"], description["name"]):
        return False
    # Our own operators may be written otherwise in a later version; what their output comes from stays.
    return _is_built_in(kind) or fingerprint(kind) == description["code"]


def _module(kind: type[Operator]) -> str:
    return _OURS if _is_built_in(kind) else kind.__module__


def _is_built_in(kind: type[Operator]) -> bool:
    return BUILT_IN.get(kind.__name__) is kind


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
