"""The arguments of one call of a transformation, read in the type that each parameter has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from whence.model.schema import Field


@dataclass(frozen=True)
class Arguments:
    """Parsed values by parameter name; None for a parameter that was left open."""

    values: Mapping[str, object]

    def has(self, name: str) -> bool:
        """Whether a parameter has a value, from the user or by default."""
        return self.values[name] is not None

    def value(self, name: str) -> object:
        """Return the value of a parameter of any kind."""
        return self.values[name]

    def text(self, name: str) -> str:
        """Return a text or a choice."""
        return cast(str, self.values[name])

    def maybe(self, name: str) -> str | None:
        """Return a text or a choice; None if it was left open."""
        return cast("str | None", self.values[name])

    def number(self, name: str) -> float:
        """Return a number."""
        return cast(float, self.values[name])

    def integer(self, name: str) -> int:
        """Return a number without its fraction."""
        return int(self.number(name))

    def flag(self, name: str) -> bool:
        """Return true or false."""
        return cast(bool, self.values[name])

    def column(self, name: str) -> Field:
        """Return a column."""
        return cast(Field, self.values[name])

    def columns(self, name: str) -> tuple[Field, ...]:
        """Return several columns, each once; none if left open."""
        return tuple(dict.fromkeys(cast("tuple[Field, ...]", self.values[name] or ())))

    def names(self, name: str) -> list[str]:
        """Return the names of several columns, each once; none if left open."""
        return [column.name for column in self.columns(name)]

    def texts(self, name: str) -> tuple[str, ...]:
        """Return several texts, none if left open."""
        return cast("tuple[str, ...]", self.values[name] or ())

    def mapping(self, name: str) -> Mapping[str, object]:
        """Return a mapping, empty if left open."""
        return cast("Mapping[str, object]", self.values[name] or {})

    def expressions(self, name: str) -> dict[str, str]:
        """Return SQL expressions by name, none if left open."""
        return {str(key): str(sql) for key, sql in self.mapping(name).items()}

    def entries(self, name: str) -> tuple[Mapping[str, object], ...]:
        """Return several mappings, none if left open."""
        return cast("tuple[Mapping[str, object], ...]", self.values[name] or ())
