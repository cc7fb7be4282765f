"""Paths of symbols: a variable, then attributes and subscripts (Definition 1 of the NBSafety paper)."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable
from typing import Literal, NamedTuple

KeyKind = Literal["attr", "item", "index"]


class Key(NamedTuple):
    """One step from an object to a part of it; an `index` key names the variable that holds the subscript."""

    kind: KeyKind
    value: Hashable

    def __str__(self) -> str:
        match self.kind:
            case "attr":
                return f".{self.value}"
            case "item":
                return f"[{self.value!r}]"
            case "index":
                return f"[{self.value}]"


class Path(NamedTuple):
    """A variable and the keys that lead from its value to a part, as in `x.a[0]`."""

    name: str
    keys: tuple[Key, ...] = ()

    def __str__(self) -> str:
        return self.name + "".join(map(str, self.keys))

    def then(self, key: Key) -> Path:
        """Return the path of a part under one more key."""
        return Path(self.name, (*self.keys, key))

    def prefixes(self) -> Iterable[Path]:
        """Return the paths of all symbols that this one is a part of, outermost first, itself last."""
        return (Path(self.name, self.keys[:length]) for length in range(len(self.keys) + 1))

    def before_index(self) -> Path:
        """Return the path up to the first subscript that is held in a variable; the whole path if there is none."""
        for position, key in enumerate(self.keys):
            if key.kind == "index":
                return Path(self.name, self.keys[:position])
        return self

    def covers(self, other: Path) -> bool:
        """Return whether the other symbol is this one or a part of it."""
        return self.name == other.name and other.keys[: len(self.keys)] == self.keys


def read_chain(node: ast.expr) -> tuple[Path, list[ast.expr], bool] | None:
    """Return the longest constant path of a chain, its computed subscripts, and whether the path is the whole chain.

    `x.a[i + 1].b` gives `x.a`, the expression `i + 1`, and False; a chain that starts at a call gives None.
    """
    links: list[ast.Attribute | ast.Subscript] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        links.append(node)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    path, computed, complete = Path(node.id), [], True
    for link in reversed(links):
        key = key_of(link)
        if isinstance(link, ast.Subscript) and (key is None or key.kind == "index"):
            computed.append(link.slice)
        complete = complete and key is not None
        if complete and key is not None:
            path = path.then(key)
    return path, computed, complete


def key_of(link: ast.Attribute | ast.Subscript) -> Key | None:
    """Return the key of one link of a chain; None if it is computed."""
    if isinstance(link, ast.Attribute):
        return Key("attr", link.attr)
    if isinstance(link.slice, ast.Name):
        return Key("index", link.slice.id)
    try:
        value = ast.literal_eval(link.slice)
        hash(value)  # a literal list or dict cannot be a key
    except (ValueError, TypeError):
        return None
    return Key("item", value)
