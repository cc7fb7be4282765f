"""Turns a schema of pandera into checks of one dataset, whose types decide which of them are conditions in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from whence.checks.check import Check, Severity
from whence.checks.from_pandera.condition import condition, is_small
from whence.checks.from_pandera.run import PanderaRun, all_failures, matching_columns
from whence.checks.from_pandera.schema import PanderaSchema, as_schema, flavour_of
from whence.checks.from_pandera.types import sql_types
from whence.model.errors import NotSupported
from whence.model.schema import Field, Schema
from whence.plan.sql_text import quoted

_FLOATS = ("float", "double")


def pandera_checks(given: PanderaSchema, columns: Schema, severity: Severity = "warning") -> list[Check]:
    """Return what a schema of pandera expects of a dataset with these columns, as checks."""
    schema = as_schema(given)
    flavour = flavour_of(schema) or ""
    translation = _Translation(schema, columns, severity, flavour, PanderaRun(severity))
    return [*translation.of_columns(), *translation.of_rows()]


@dataclass(frozen=True)
class _Translation:
    """The translation of one schema; each method yields checks."""

    schema: Any
    columns: Schema
    severity: Severity
    flavour: str
    run: PanderaRun

    def of_columns(self) -> Iterator[Check]:
        """Yield the check of the names, then those of each column."""
        matched = {name: self._matches(column) for name, column in self.schema.columns.items()}
        required = [name for name, each in self.schema.columns.items() if each.required and not each.regex]
        is_strict, is_ordered = self.schema.strict is True, bool(self.schema.ordered)
        if is_strict or is_ordered or any(name not in self.columns.names for name in required):
            known = list(dict.fromkeys(each for name in self.schema.columns for each in matched[name] or [name]))
            optional = [each for each in known if each not in required]
            yield self._check("columns", known, optional, only=is_strict, in_order=is_ordered)
        for name, column in self.schema.columns.items():
            if column.regex and column.required and not matched[name]:
                yield self.run.failure(f"a column matches {name}", "there is none")
            for found in matched[name]:
                yield from self._of_column(column, self.columns.fields[self.columns.names.index(found)])

    def of_rows(self) -> Iterator[Check]:
        """Yield the checks of several columns."""
        if self.schema.unique:
            yield from self._unique(list(self.schema.unique), self.schema)
        for number, check in enumerate(self.schema.checks or ()):
            name = _name_of(check, "the rows")
            self._must_be_pandas(f"The check {name}")
            yield self.run.check_of_rows(
                name if _is_named(check) else f"{name}, {number + 1}", checks=[all_failures(check)]
            )

    def _matches(self, column: Any) -> list[str]:  # noqa: ANN401 - pandera may be missing
        names = list(self.columns.names)
        if not column.regex:
            return [column.name] if column.name in names else []
        if self.flavour == "pandas":
            return matching_columns(column, names)
        raise NotSupported(f"The column {column.name} is a pattern.", "Name each column in a schema for PySpark.")

    def _of_column(self, column: Any, field: Field) -> Iterator[Check]:  # noqa: ANN401 - pandera may be missing
        types = None if column.dtype is None else sql_types(column.dtype, self.flavour)
        fits = types is not None and field.type.partition("(")[0] in {each.partition("(")[0] for each in types}
        is_coerced = bool(column.coerce or self.schema.coerce) and column.dtype is not None and not fits
        if is_coerced:
            self._must_be_pandas(f"To coerce {field.name}, which holds {field.type},")
            yield self.run.coercion(field.name, column.dtype)
        elif column.dtype is not None:
            yield from self._type(column, field, types)
        coerce_to = column.dtype if is_coerced else None
        if not column.nullable:
            yield self._not_null(field) if coerce_to is None else self._run_column("is not null", field, coerce_to)
        if getattr(column, "unique", False):
            yield from self._unique([field.name], column, coerce_to)
        for number, check in enumerate(column.checks or ()):
            yield self._of_check(check, field, number, coerce_to)

    def _type(self, column: Any, field: Field, types: tuple[str, ...] | None) -> Iterator[Check]:  # noqa: ANN401
        if types is not None:
            yield self._check("type", field.name, list(types))
        elif str(column.dtype) != "object":
            self._must_be_pandas(f"The type {column.dtype} of {field.name}")
            yield self.run.column(f"{field.name} holds {column.dtype}", field.name, dtype=column.dtype)

    def _not_null(self, field: Field) -> Check:
        if field.type not in _FLOATS or self.flavour == "pyspark":
            return self._check("not_null", field.name)
        column = quoted(field.name)
        words = f"{field.name} is not null"
        return self._check("row", f"{column} is not null and not isnan({column})", [field.name], name=words)

    def _run_column(self, words: str, field: Field, coerce_to: object) -> Check:
        return self.run.column(f"{field.name} {words}", field.name, coerce_to=coerce_to, nullable=False)

    def _unique(self, names: list[str], owner: Any, coerce_to: object = None) -> Iterator[Check]:  # noqa: ANN401
        fields = [field for field in self.columns if field.name in names]
        if len(fields) < len(names):
            return  # the check of the names says so
        # pandas takes NaN and NULL for one value.
        is_plain = self.flavour == "pyspark" or not any(field.type in _FLOATS for field in fields)
        rule = getattr(owner, "report_duplicates", "all")
        if is_plain and rule == "all" and coerce_to is None:
            yield self._check("key", names, nulls=True)
        elif owner is self.schema:
            yield self.run.check_of_rows(f"{', '.join(names)} is a key", unique=names, report_duplicates=rule)
        else:
            words, rules = f"{names[0]} is a key", {"unique": True, "report_duplicates": rule}
            yield self.run.column(words, names[0], coerce_to=coerce_to, **rules)

    def _of_check(self, check: Any, field: Field, number: int, coerce_to: object) -> Check:  # noqa: ANN401
        name = _name_of(check, field.name)
        if coerce_to is None and _is_built_in(check) and (check.ignore_na or self.flavour == "pyspark"):
            passes = condition(check.name, check.statistics, field, self.flavour)
            if passes is not None:
                return self._of_rule(check, field, passes, name)
        self._must_be_pandas(f"The check {name} of {field.name}")
        named = name if _is_named(check) else f"{name}, {number + 1}"
        return self.run.column(named, field.name, coerce_to=coerce_to, checks=all_failures(check))

    def _of_rule(self, check: Any, field: Field, passes: str, name: str) -> Check:  # noqa: ANN401
        """Return a built-in check as the kind that says it most plainly."""
        given = check.statistics
        if field.type not in _FLOATS and not field.type.startswith("decimal"):
            if check.name == "greater_than_or_equal_to":
                return self._check("between", field.name, low=_plain(given["min_value"]), name=name)
            if check.name == "less_than_or_equal_to":
                return self._check("between", field.name, high=_plain(given["max_value"]), name=name)
            if check.name == "in_range" and given.get("include_min", True) and given.get("include_max", True):
                low, high = _plain(given["min_value"]), _plain(given["max_value"])
                return self._check("between", field.name, low, high, name=name)
            if check.name == "isin" and all(is_small(_plain(each), field) for each in given["allowed_values"]):
                return self._check("one_of", field.name, [_plain(each) for each in given["allowed_values"]], name=name)
        return self._check("row", passes, [field.name], name=name)

    def _check(self, kind: str, *values: object, name: str = "", **parameters: object) -> Check:
        return Check(kind, *values, name=name, severity=self.severity, **parameters)

    def _must_be_pandas(self, what: str) -> None:
        if self.flavour != "pandas":
            raise NotSupported(
                f"{what} needs pandera to look at Spark's frame, which gives no failing rows.",
                "Write it in a schema of pandera.pandas, or as whence.Check.",
            )


def _is_built_in(check: Any) -> bool:  # noqa: ANN401 - pandera may be missing
    return bool(not check.native and check.statistics and check.groupby is None and not check.element_wise)


def _is_named(check: Any) -> bool:  # noqa: ANN401 - pandera may be missing
    """Whether a check has a name that tells it from others; a lambda has none."""
    return bool(check.error) or check.name not in (None, "<lambda>")


def _name_of(check: Any, owner: str) -> str:  # noqa: ANN401 - pandera may be missing
    """Return the user's own words for a check, else its column and what pandera calls it."""
    words = str(check.error or check.name or "check")
    is_own = check.error and not str(check.error).startswith(f"{check.name}(")
    return words if is_own else f"{owner}: {words}"


def _plain(value: Any) -> object:  # noqa: ANN401 - any value of numpy
    return value.item() if hasattr(value, "item") else value
