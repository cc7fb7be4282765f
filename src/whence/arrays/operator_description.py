"""Describes the operator that made a dataset as JSON, and finds the operator of a description in a later session."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from whence.arrays.builtin import BUILT_IN
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


def fingerprint(kind: type[Operator]) -> str:
    """Return a hash of the code of a class and its bases, so that another class of the same name does not match."""
    digest = hashlib.sha256()
    for each in kind.__mro__:
        # Docstrings count, as `__doc__` and as constants of functions: rewording one in a class that users extend
        # changes the fingerprints of their classes.
        if issubclass(each, Operator) and each is not Operator:
            for name, value in sorted(vars(each).items(), key=lambda item: item[0]):
                for text in _texts(value):
                    digest.update(f"{name}={text};".encode())
    return digest.hexdigest()[:32]


def fingerprint_of(function: object) -> str:
    """Return a hash of the code of one function."""
    return hashlib.sha256(";".join(_texts(function)).encode()).hexdigest()[:32]


def _texts(value: object) -> Iterator[str]:
    # Static and class methods hide their function in `__func__`, properties in `fget`.
    function = getattr(value, "__func__", getattr(value, "fget", value))
    if isinstance(function, FunctionType):
        yield from _code_texts(function.__code__)
    elif isinstance(value, bool | int | float | str | tuple):
        yield repr(value)
    elif isinstance(value, set | frozenset):
        yield repr(sorted(map(repr, value)))


def _code_texts(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames))
    # Nested functions and comprehensions are constants of the code around them.
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_texts(constant)
        else:
            # The order of a set differs between sessions, as Python salts the hashes of text.
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)


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
