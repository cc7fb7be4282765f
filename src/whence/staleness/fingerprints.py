"""Computes cheap fingerprints of objects, to notice when library code has changed one in place."""

from __future__ import annotations

import gc
import zlib
from collections import deque
from collections.abc import Hashable, Iterable
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, SimpleNamespace

from whence.staleness.objects import identity, is_a, package_of

SAMPLE = (
    64  # elements looked at from either end; a change in the middle of a longer list that keeps its length is missed
)
_DEPTH = 2
_BYTES = 4096
_MADE_BY_A_CLASS_STATEMENT = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_SPARK_HANDLES = {"DataFrame", "Column", "GroupedData", "SparkSession", "SparkContext"}  # what they keep is a cache
_ARRAYS = {"ndarray", "generic"}
_OPAQUE = (ModuleType, FunctionType, MethodType, BuiltinFunctionType, type)


def fingerprint(value: object, depth: int = _DEPTH) -> Hashable:
    """Return a summary of an object's content that most changes in place alter; None if it cannot be compared."""
    try:
        return _look(value, depth)
    except Exception:  # noqa: BLE001, RUF100  # an object of a library may refuse to be looked at, for any reason
        return None


def _look(value: object, depth: int) -> Hashable:
    """Return the fingerprint, by methods of the built-in types only: those of a subclass are user code."""
    if identity(value) == 0 or issubclass(type(value), _OPAQUE):
        return None
    if is_a(value, list):
        ends = list.__getitem__(value, slice(SAMPLE)) + list.__getitem__(value, slice(-SAMPLE, None))
        return list.__len__(value), _each(ends, depth)
    if is_a(value, tuple):
        ends = [*tuple.__getitem__(value, slice(SAMPLE)), *tuple.__getitem__(value, slice(-SAMPLE, None))]
        return tuple.__len__(value), _each(ends, depth)
    if is_a(value, dict):
        inner = dict.values(value)
        ends = [*islice(inner, SAMPLE), *islice(reversed(inner), SAMPLE)]
        return len(inner), _each(islice(dict.keys(value), SAMPLE), 0), _each(ends, depth)
    if is_a(value, deque):
        ends = [*islice(deque.__iter__(value), SAMPLE), *islice(deque.__reversed__(value), SAMPLE)]
        return deque.__len__(value), _each(ends, depth)
    if is_a(value, set):
        return set.__len__(value), _each(islice(set.__iter__(value), SAMPLE), 0)
    if is_a(value, bytearray):
        return bytearray.__len__(value), bytes(bytearray.__getitem__(value, slice(_BYTES)))
    return _of_object(value, depth)


def _each(values: Iterable[object], depth: int) -> tuple[Hashable, ...]:
    return tuple((id(value), fingerprint(value, depth - 1)) if depth > 0 else id(value) for value in values)


def _of_object(value: object, depth: int) -> Hashable:
    package = package_of(type(value))
    if package == "numpy":
        return _of_array(value)
    if package == "pandas":
        return _of_pandas(value)
    if package == "pyspark" and type(value).__name__ in _SPARK_HANDLES:
        return None
    if type(value).__flags__ & _MADE_BY_A_CLASS_STATEMENT or is_a(value, SimpleNamespace):
        return _of_instance(value, depth)
    return None


def _of_instance(value: object, depth: int) -> Hashable:
    """Return the fingerprint of an instance, from what the garbage collector sees as its attributes.

    Reading `__dict__` would make Python build one, which slows the object down from then on.
    """
    found: list[object] = []
    pending = gc.get_referents(value)
    while pending and len(found) < SAMPLE:
        part = pending.pop()
        if type(part) is dict:  # the attributes themselves, if a dictionary was built for them, or one of them
            pending += islice(part.values(), SAMPLE)
        elif not isinstance(part, type):
            found.append(part)
    return _each(sorted(found, key=id), depth)


def _of_array(array: object) -> Hashable:
    """Return the shape and a checksum of a sample of the elements. Only the sample is copied."""
    if not any(base.__name__ in _ARRAYS for base in type(array).__mro__):
        return None  # such as an iterator of NumPy, which raises when asked for its shape at the end
    shape, flat, size, flags = (getattr(array, name, None) for name in ("shape", "flat", "size", "flags"))
    if flat is None or not isinstance(size, int):
        return None
    # In one piece, the elements can be seen in the order of memory without a copy; the iterator `flat` is slower.
    plain = type(array).__name__ == "ndarray" and getattr(flags, "forc", False)
    elements = array.ravel("K") if plain else flat  # type: ignore[attr-defined]  # an array of NumPy, which may be missing
    return shape, zlib.crc32(elements[:: max(1, size // 512)].tobytes()[:_BYTES])


def _of_pandas(frame: object) -> Hashable:
    """Return the fingerprint of a pandas object: identity of its block manager and blocks, and a sample of each block.

    In-place methods replace the manager or its blocks. The sample shows writes into a block.
    """
    manager = getattr(frame, "_mgr", None)
    blocks = getattr(manager, "blocks", ())
    arrays = [getattr(block, "values", None) for block in islice(blocks, SAMPLE)]
    # The axes are looked up in the manager: a Series that is asked for columns searches its labels for that name.
    axes = list(getattr(manager, "axes", ()))
    labels = tuple(islice(axes[0], SAMPLE)) if len(axes) > 1 else ()
    shape = tuple(map(len, axes))
    return id(manager), shape, labels, tuple((id(array), _of_array(array)) for array in arrays)
