"""Lists methods that change their receiver in place. Other changes are found by comparing fingerprints."""

from __future__ import annotations

import ast

from whence.staleness.objects import package_of

_LIST = {"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"}
_DICT = {"update", "setdefault", "popitem"}
_SET = {"add", "discard", "difference_update", "intersection_update", "symmetric_difference_update"}
_DEQUE = {"appendleft", "extendleft", "popleft", "rotate"}
_NUMPY = {"fill", "resize", "put", "itemset", "partition", "setfield", "byteswap"}
_POLARS = {"insert_column", "replace_column", "drop_in_place"}
_NAMES = frozenset(_LIST | _DICT | _SET | _DEQUE | _NUMPY | _POLARS)
_ALWAYS = (list, dict, set, bytearray)
_FRAMES = {"pandas", "polars", "pyspark"}
_FRAME_MUTATORS = frozenset({"insert", "pop", "update", "extend"} | _POLARS)


def may_mutate(call: ast.Call) -> bool:
    """Return whether a method call may change its receiver in place, by its name or by `inplace=True`."""
    if not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr in _NAMES or asks_in_place(call)


def asks_in_place(call: ast.Call) -> bool:
    """Return whether a call passes `inplace=True`, the pandas way to change the receiver."""
    return any(
        word.arg == "inplace" and isinstance(word.value, ast.Constant) and word.value.value is True
        for word in call.keywords
    )


def mutates(receiver: object, method: str) -> bool:
    """Return whether this method changes this receiver; False for unknown types, where fingerprints decide."""
    kind = type(receiver)
    if issubclass(kind, _ALWAYS):
        return method in _NAMES and hasattr(kind, method)
    package = package_of(kind)
    if package in _FRAMES:
        return method in _FRAME_MUTATORS
    if package == "numpy":
        return method in _NUMPY or method == "sort"
    return kind.__module__ == "collections" and method in _NAMES
