"""Inspects the user's objects without running their code, changing them or keeping them alive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType, MemberDescriptorType, ModuleType, NoneType, NotImplementedType, WrapperDescriptorType
from typing import Final, NamedTuple, TypeGuard, TypeVar

from whence.staleness.paths import Key, Path

Kind = TypeVar("Kind")


class _Absent:
    """The type of ABSENT, which replaces a value that cannot be read without running the user's code."""


ABSENT: Final = _Absent()
_ATOMIC = (*(int, float, complex, bool, str, bytes, range, slice, NoneType, EllipsisType, NotImplementedType),)
_CONSTANTS = (int, str, float, bytes, NoneType)
_FRAME_PACKAGES = {"pandas", "polars", "pyspark"}
_FRAME_CLASSES = {"DataFrame", "LazyFrame"}


class Part(NamedTuple):
    """A part that is a symbol of its own: its normalised key, and its value; ABSENT if that has no stable identity."""

    key: Key
    value: object


def is_a(value: object, kind: type[Kind]) -> TypeGuard[Kind]:
    """Return whether an object's type is a subclass of `kind`. `isinstance` would believe a proxy or mock."""
    return issubclass(type(value), kind)


def identity(value: object) -> int:
    """Return the `id` of a mutable object; 0 for a value that cannot be changed in place."""
    return 0 if value is ABSENT or issubclass(type(value), _ATOMIC) else id(value)


def package_of(kind: type) -> str:
    """Return the outermost package of a class, as its `__module__` says."""
    module = kind.__module__  # which a class may set to anything
    return module.partition(".")[0] if type(module) is str else ""


def frame_package(value: object) -> str:
    """Return the library of a data frame; "" for any other value."""
    kind = type(value)
    found = package_of(kind) if kind.__name__ in _FRAME_CLASSES else ""
    return found if found in _FRAME_PACKAGES else ""


def is_frame(value: object) -> bool:
    """Return whether the value is a data frame, whose columns are symbols."""
    return frame_package(value) != ""


def part_of(container: object, key: Key) -> Part | None:
    """Return the part of an object under a key; None if only the object as a whole can be followed."""
    if is_frame(container):
        return _column_of(container, key)
    match key.kind:
        case "attr":
            return _attribute_of(container, str(key.value))
        case "item":
            return _item_of(container, key)
        case "index":
            return None


def lacks(container: object, key: Key) -> bool:
    """Return whether a list, tuple, dict or plain object has nothing under a key, so that no part can be read."""
    if is_frame(container) or part_of(container, key) is not None:
        return False
    return _is_plain_container(container) if key.kind == "item" else _lacks_attribute(container, key)


def _is_plain_container(container: object) -> bool:
    getter = getattr(type(container), "__getitem__", None)
    return getter in (list.__getitem__, tuple.__getitem__, dict.__getitem__)


def _lacks_attribute(container: object, key: Key) -> bool:
    """Return whether Python's own look-up of an attribute fails; False for a class with `__getattr__`."""
    kind = type(container)
    if key.kind != "attr" or container is ABSENT or kind.__getattribute__ is not object.__getattribute__:
        return False
    return not any("__getattr__" in owner.__dict__ or key.value in owner.__dict__ for owner in kind.__mro__)


def follow(path: Path, values: Mapping[str, object]) -> object:
    """Return the object at a path, or ABSENT."""
    value = values.get(path.name, ABSENT)
    for key in path.keys:
        part = part_of(value, settle(key, values) or key)
        value = ABSENT if part is None else part.value
    return value


def settle(key: Key, values: Mapping[str, object]) -> Key | None:
    """Return a key with its variable replaced by the variable's value; None if that value is no constant."""
    if key.kind != "index":
        return key
    value = values.get(str(key.value), ABSENT)
    return Key("item", value) if issubclass(type(value), _CONSTANTS) else None


def _column_of(frame: object, key: Key) -> Part | None:
    """Return the column of a frame under a key. `df.c` and `df["c"]` are one symbol.

    Each access makes a new Series, so the value of a column has no identity.
    """
    if type(frame).__name__ == "LazyFrame" or frame_package(frame) == "pyspark":
        return _named_column(frame, key)
    columns = getattr(frame, "columns", ())
    if isinstance(key.value, str) and key.value in columns:
        return Part(Key("item", key.value), ABSENT)
    return None


def _named_column(frame: object, key: Key) -> Part | None:
    """Return a column of a lazy frame without checking that it exists: asking for columns may start an analysis."""
    if not isinstance(key.value, str) or (key.kind == "attr" and hasattr(type(frame), key.value)):
        return None
    # Spark ignores case, and `a.b` is a field of column `a`.
    name = key.value.partition(".")[0].casefold() if frame_package(frame) == "pyspark" else key.value
    return Part(Key("item", name), ABSENT)


def _attribute_of(container: object, name: str) -> Part | None:
    kind = type(container)
    # A look-up written in C finds the instance's own attributes; one written in Python could do anything.
    if container is ABSENT or not isinstance(kind.__getattribute__, WrapperDescriptorType):
        return None
    if is_a(container, type) or is_a(container, ModuleType):
        return _entry_of(vars(container), name)
    for owner in kind.__mro__:
        descriptor = owner.__dict__.get(name)
        if isinstance(descriptor, MemberDescriptorType):
            return _slot_of(container, name, descriptor)
        if hasattr(type(descriptor), "__get__"):
            return None  # a method, or a property, whose value may come from anywhere in the object
    if kind.__getattribute__ is not object.__getattribute__:
        return _entry_of(getattr(container, "__dict__", {}), name)
    try:
        # Asking for __dict__ would make Python build one, which slows the object down from then on.
        return Part(Key("attr", name), object.__getattribute__(container, name))
    except AttributeError:
        return None


def _entry_of(namespace: Mapping[str, object], name: str) -> Part | None:
    return Part(Key("attr", name), namespace[name]) if name in namespace else None


def _slot_of(container: object, name: str, descriptor: MemberDescriptorType) -> Part | None:
    try:
        return Part(Key("attr", name), descriptor.__get__(container, type(container)))
    except AttributeError:
        return None


def _item_of(container: object, key: Key) -> Part | None:
    getter = getattr(type(container), "__getitem__", None)
    if is_a(container, list) and getter is list.__getitem__:
        return _at(container, list.__len__(container), key.value)
    if is_a(container, tuple) and getter is tuple.__getitem__:
        return _at(container, tuple.__len__(container), key.value)
    if is_a(container, dict) and getter is dict.__getitem__:
        value = dict.get(container, key.value, ABSENT)
        return None if value is ABSENT else Part(key, value)
    return None


def _at(container: Sequence[object], length: int, position: object) -> Part | None:
    if not isinstance(position, int) or not -length <= position < length:
        return None
    return Part(Key("item", position % length), container[position])
