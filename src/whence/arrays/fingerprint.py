"""Hashes what the code of classes and functions does, so that a later session knows whether it is the same code.

Docstrings, line numbers and file names do not count. Another version of Python compiles to other instructions: there
the hash differs, so that code is refused rather than taken for the same.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from types import CellType, CodeType, FunctionType

import numpy as np

from whence.arrays.operator import Operator

_ABOUT_SOURCE = frozenset(
    {
        "__annotate__",
        "__annotate_func__",
        "__annotations__",
        "__annotations_cache__",
        "__doc__",
        "__firstlineno__",
        "__module__",
        "__static_attributes__",
    }
)
"""Attributes of a class that Python fills in from its source; some exist only from Python 3.13 on."""

_HIDES_FUNCTION = ("__func__", "fget", "func", "__wrapped__")
"""Where static and class methods, properties, cached properties and caches keep their function."""


def fingerprint(kind: type[Operator]) -> str:
    """Return a hash of the code of a class and its bases, so that another class of the same name does not match."""
    return _hash([_class_facts(each) for each in kind.__mro__ if issubclass(each, Operator) and each is not Operator])


def fingerprint_of(function: object) -> str:
    """Return a hash of the code of one function."""
    return _hash(_facts(function))


def _hash(facts: object) -> str:
    return sha256(repr(facts).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _class_facts(kind: type) -> list[object]:
    return [(name, _facts(vars(kind)[name])) for name in sorted(vars(kind)) if name not in _ABOUT_SOURCE]


def _facts(value: object) -> object:
    """Return what tells a value from others, as plain values whose `repr` is the same in every session."""
    hidden = (getattr(value, name, None) for name in _HIDES_FUNCTION)
    function = next((each for each in (value, *hidden) if isinstance(each, FunctionType)), None)
    if function is not None:
        return _function_facts(function)
    if isinstance(value, CodeType):
        return _code_facts(value)
    if isinstance(value, tuple | list):
        return type(value).__name__, [_facts(each) for each in value]
    if isinstance(value, set | frozenset):
        # The order of a set differs between sessions, as Python salts the hashes of text.
        return type(value).__name__, sorted(repr(_facts(each)) for each in value)
    if isinstance(value, dict):
        return type(value).__name__, [(_facts(key), _facts(each)) for key, each in value.items()]
    return _plain_facts(value)


def _plain_facts(value: object) -> object:
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.str, value.shape, repr(value.tolist())
    # The `repr` of any other object may hold its address.
    return type(value).__name__, str(getattr(value, "__name__", ""))


def _function_facts(function: FunctionType) -> object:
    closure = [_closure_facts(cell) for cell in function.__closure__ or ()]
    return _code_facts(function.__code__), _facts(function.__defaults__), _facts(function.__kwdefaults__), closure


def _closure_facts(cell: CellType) -> object:
    try:
        value = cell.cell_contents
    except ValueError:  # The name has no value yet.
        return None
    # A function may be part of its own closure, so its code alone counts here.
    return _code_facts(value.__code__) if isinstance(value, FunctionType) else _plain_facts(value)


def _code_facts(code: CodeType) -> object:
    stars = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, stars)
    return counts, code.co_varnames, list(_instructions(code)), code.co_exceptiontable.hex()


def _instructions(code: CodeType) -> Iterator[object]:
    """Yield each instruction with the constant or name it uses; none uses the docstring of a function."""
    every = list(dis.get_instructions(code))
    # The body of a class inside a function stores the docstring and line number of the class.
    is_source = [each.opname == "STORE_NAME" and each.argval in _ABOUT_SOURCE for each in every]
    for each, (is_store, is_stored) in zip(every, pairwise([*is_source, False]), strict=True):
        if not (is_store or is_stored):
            yield each.opname, _facts(each.argval)
