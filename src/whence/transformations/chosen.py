"""The values a user chose for the parameters of a transformation, in the types the transformation reads them in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from whence.model.schema import Field


@dataclass(frozen=True)
class Chosen:
    """Parsed values by parameter name; what was left open is None."""

    values: Mapping[str, object]

    def has(self, name: str) -> bool:
        """Whether the user, or a default, says something about it."""
        return self.values[name] is not None

    def value(self, name: str) -> object:
        """Anything."""
        return self.values[name]

    def text(self, name: str) -> str:
        """A text or a choice."""
        return cast(str, self.values[name])

    def maybe(self, name: str) -> str | None:
        """A text or a choice that may be left open."""
        return cast("str | None", self.values[name])

    def number(self, name: str) -> float:
        """A number."""
        return cast(float, self.values[name])

    def whole(self, name: str) -> int:
        """A whole number."""
        return int(self.number(name))

    def flag(self, name: str) -> bool:
        """True or false."""
        return cast(bool, self.values[name])

    def column(self, name: str) -> Field:
        """A column."""
        return cast(Field, self.values[name])

    def columns(self, name: str) -> tuple[Field, ...]:
        """Several columns, each once; none if left open."""
        return tuple(dict.fromkeys(cast("tuple[Field, ...]", self.values[name] or ())))

    def names(self, name: str) -> list[str]:
        """The names of several columns, each once; none if left open."""
        return [column.name for column in self.columns(name)]

    def texts(self, name: str) -> tuple[str, ...]:
        """Several texts, none if left open."""
        return cast("tuple[str, ...]", self.values[name] or ())

    def mapping(self, name: str) -> Mapping[str, object]:
        """A mapping, empty if left open."""
        return cast("Mapping[str, object]", self.values[name] or {})

    def expressions(self, name: str) -> dict[str, str]:
        """Names with SQL expressions, none if left open."""
        return {str(key): str(sql) for key, sql in self.mapping(name).items()}

    def entries(self, name: str) -> tuple[Mapping[str, object], ...]:
        """Several mappings, none if left open."""
        return cast("tuple[Mapping[str, object], ...]", self.values[name] or ())
