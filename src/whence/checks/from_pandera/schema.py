"""What a user gives as a schema of pandera, recognised without importing pandera, and what cannot be read from it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from whence.model.errors import NotSupported


class FrameSchema(Protocol):
    """A `DataFrameSchema` of pandera, for pandas or for PySpark."""

    @property
    def validate(self) -> Callable[..., Any]:
        """Validate a frame."""


PanderaSchema: TypeAlias = FrameSchema | type
"""A schema of pandera, or a class made from its `DataFrameModel`."""


def is_pandera(given: object) -> bool:
    """Return whether a value comes from pandera: a schema, or a class of a model."""
    family = given if inspect.isclass(given) else type(given)
    return any(each.__module__.partition(".")[0] == "pandera" for each in family.__mro__)


def as_schema(given: object) -> Any:  # noqa: ANN401 - pandera may be missing
    """Return the schema of a model or of a schema; refuse one that changes values before it looks at them."""
    make = getattr(given, "to_schema", None)
    schema: Any = make() if inspect.isclass(given) and make else given
    if not isinstance(getattr(schema, "columns", None), dict) or flavour_of(schema) is None:
        raise NotSupported(
            f"{given!r} is no schema for rows.", "Give a DataFrameSchema or DataFrameModel of pandera.pandas."
        )
    changes = [name for name in ("parsers", "add_missing_columns") if getattr(schema, name, None)]
    for column in schema.columns.values():
        if not isinstance(column.name, str):
            raise NotSupported(f"The schema has the column {column.name!r} of a MultiIndex, which no dataset has.")
        changes += ["parsers"] if getattr(column, "parsers", None) else []
        changes += ["default"] if getattr(column, "default", None) is not None else []
    if changes:
        raise NotSupported(
            f"The schema changes values before it checks them ({', '.join(dict.fromkeys(changes))}).",
            "Change the values with a query, and check its result.",
        )
    if schema.dtype is not None:
        raise NotSupported("The schema has one dtype for all columns.", "Give each column its dtype.")
    return schema


def flavour_of(schema: object) -> str | None:
    """Return the library whose frames a schema is for; None if it is neither pandas nor PySpark."""
    modules = {each.__module__ for each in type(schema).__mro__}
    return next((name for name in ("pyspark", "pandas") if any(f".{name}." in each for each in modules)), None)
