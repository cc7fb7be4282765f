"""`Check`: what a user expects of a dataset, as its kind, its parameters, its name and how bad a failure is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, cast, get_args

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import CheckKind
from whence.checks.kinds.reference import label_of
from whence.checks.kinds.registry import CHECK_KINDS
from whence.checks.plan import CheckPlan
from whence.model.errors import UserError
from whence.model.parameter import check_values, is_open, near_miss
from whence.model.plural import with_article
from whence.transformations.arguments import Arguments
from whence.transformations.report import plain

Severity = Literal["warning", "error"]
"""`warning` puts failing rows in doubt; `error` stops, and nothing is stored."""


class Check:
    """One check of a dataset, for `ws.expect`. The values after its kind are its parameters, in order or by name.

    >>> whence.Check("between", "amount", low=0, high=100), whence.Check("key", ["shop", "day"], severity="error")
    (<Check between: amount is between 0 and 100>, <Check key: shop, day is a key, an error>)
    """

    def __init__(
        self, kind: str, *values: object, name: str = "", severity: Severity = "warning", **parameters: object
    ) -> None:
        self._kind = find_check_kind(kind)
        if severity not in get_args(Severity):
            raise UserError(f"A check has no severity {severity}.", "Use warning or error.")
        self.kind = self._kind.name
        self.severity: Severity = severity
        self._values = Arguments(check_values(self._asker, self._kind.parameters, self._by_name(values, parameters)))
        self.name = name or self._kind.describe(self._values)

    @classmethod
    def from_values(cls, values: object) -> Check:
        """Return the check that a mapping holds, such as a table of a TOML file; empty fields count as left open."""
        if not isinstance(values, Mapping) or not isinstance(values.get("kind"), str):
            raise UserError(f"{values!r} is no check.", f"It needs a kind: {', '.join(CHECK_KINDS)}.")
        chosen = {key: value for key, value in values.items() if key != "kind" and not is_open(value)}
        name, severity = str(chosen.pop("name", "")), cast(Severity, chosen.pop("severity", "warning"))
        return cls(str(values["kind"]), name=name, severity=severity, **chosen)

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters that have a value, by name."""
        return {name: value for name, value in self._values.values.items() if value is not None}

    def plan(self, table: CheckedTable) -> CheckPlan:
        """Return which rows of a dataset fail."""
        return self._kind.plan(table, self._values)

    def to_json(self) -> dict[str, object]:
        """Return the check as JSON can hold it; `from_values` reads it back."""
        known = {each.name: each.kind for each in self._kind.parameters}
        found = {
            name: label_of(value) if known[name] == "dataset" else plain(value)
            for name, value in self.parameters.items()
        }
        return {"kind": self.kind, "name": self.name, "severity": self.severity, **found}

    def _by_name(self, values: tuple[object, ...], parameters: Mapping[str, object]) -> dict[str, object]:
        names = [each.name for each in self._kind.parameters]
        if len(values) > len(names):
            raise UserError(f"{self._asker} takes {', '.join(names)}, not {len(values)} values.")
        return dict(zip(names, values, strict=False)) | dict(parameters)

    @property
    def _asker(self) -> str:
        return with_article(f"{self.kind} check")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Check) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_json(), sort_keys=True))

    def __repr__(self) -> str:
        return f"<Check {self.kind}: {self.name}{', an error' if self.severity == 'error' else ''}>"


def find_check_kind(name: str) -> CheckKind:
    """Return the kind of this name; refuse one that is not known."""
    if name not in CHECK_KINDS:
        raise UserError(f"There is no check {name}.", near_miss(name, CHECK_KINDS) or f"Use {', '.join(CHECK_KINDS)}.")
    return CHECK_KINDS[name]


def as_check(given: object) -> Check:
    """Return a check that was given as one, or as a mapping."""
    return given if isinstance(given, Check) else Check.from_values(given)
