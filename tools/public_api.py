"""Writes down the public surface, so that a change of it is seen as a change of tests/snapshots/api.txt."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import get_type_hints

import whence


def describe() -> str:
    """One block per public name of whence, and per class that its attributes lead to (Dataset.lineage, ...)."""
    return "\n".join(line for name, thing in public_things().items() for line in _lines(name, thing)) + "\n"


def public_things() -> dict[str, object]:
    """Return what `whence` exports, and the classes that its attributes lead to, by name."""
    things: dict[str, object] = {name: getattr(whence, name) for name in sorted(whence.__all__)}
    queue = list(things.values())
    for thing in queue:  # grows while it is read
        found = [kind for kind in _attribute_types(thing) if kind.__name__ not in things]
        things.update({kind.__name__: kind for kind in found})
        queue.extend(found)
    return things


def _lines(name: str, thing: object) -> Iterator[str]:
    if not inspect.isclass(thing):
        yield f"{name}{signature(thing)}"
        return
    bases = ", ".join(base.__name__ for base in thing.__bases__ if base is not object and not _is_part(base))
    yield f"class {name}{f'({bases})' if bases else ''}"
    found = members(thing)
    yield from (f"    {member}{signature(found[member])}" for member in sorted(found) if not member.startswith("_"))


def members(thing: type) -> dict[str, object]:
    """What the class defines itself or in its parts, by name."""
    own = [thing, *(base for base in thing.__mro__[1:] if _is_part(base))]
    return {
        name: member
        for each in reversed(own)
        for name, member in {**dict.fromkeys(inspect.get_annotations(each)), **vars(each)}.items()
    }


def _is_part(base: type) -> bool:
    """Whether a base class only holds some of a handle's methods: users know the handle, not its parts."""
    return base.__module__.startswith("whence.workspace.") and not hasattr(whence, base.__name__)


def signature(thing: object) -> str:
    """Return the arguments of a function, or the type of a property."""
    target = thing.__func__ if isinstance(thing, staticmethod | classmethod) else thing
    if getter := getter_of(target):
        return f": {inspect.get_annotations(getter).get('return')}"
    return str(inspect.signature(target)).replace("'", "") if inspect.isfunction(target) else ""


def _attribute_types(thing: object) -> Iterator[type]:
    for member, value in members(thing).items() if inspect.isclass(thing) else ():
        getter = None if member.startswith("_") else getter_of(value)
        kind = _return_type(getter) if getter else None
        if inspect.isclass(kind) and kind.__module__.startswith("whence."):
            yield kind


def _return_type(getter: Callable[..., object]) -> object:
    try:
        return get_type_hints(getter).get("return")
    except NameError:  # imported for type checkers only: a type of Spark, not one of ours
        return None


def getter_of(thing: object) -> Callable[..., object] | None:
    """Return the function behind a property."""
    if isinstance(thing, property):
        return thing.fget
    return thing.func if isinstance(thing, cached_property) else None
