"""Compute values of columns anew, from SQL or a Python function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.applied import Applied, Whole
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

Rule = str | Mapping[object, object] | Callable[..., object]
"""SQL, a mapping of values, or a function of a value."""


class Transform(Transformation):
    """Each value becomes what an expression gives; `{}` in it stands for the column. A mapping replaces values by
    others, a Python function is called with each value (its type is `returns`, or stays)."""

    name = "transform"
    title = "Transform values"
    group = "Prepare"
    core = "transformation"
    provenance = (
        "a cell comes from itself, from what else of its row the expression reads, and through a window function from "
        "cells of the rows it reads"
    )
    parameters = (
        Parameter(
            "columns",
            "value",
            "columns; or columns each with SQL (`{}` is the value) or old values and new",
            is_required=True,
        ),
        Parameter("expression", "value", "one rule for all columns: SQL, or old values and new"),
        Parameter("returns", "text", "the type of what comes out"),
    )
    example = {"columns": ["name"], "expression": "upper({})"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        columns = cast("str | Sequence[str] | Mapping[str, Rule]", chosen.value("columns"))
        rules, returns = (
            _rules(given, columns, cast("Rule | None", chosen.value("expression"))),
            chosen.maybe("returns"),
        )
        functions = {name: rule for name, rule in rules.items() if callable(rule)}
        if functions:
            if len(functions) < len(rules):
                raise UserError("A step calls Python functions or computes in SQL, not both.", "Make two steps.")
            return _by_function(given, functions, returns)
        written = {name: rule.replace("{}", quoted(name)) for name, rule in rules.items() if isinstance(rule, str)}
        reads = given.expressions(written, may_look_around=True)
        changed = {
            name: _mapped(given, name, rule) if isinstance(rule, Mapping) else written[name]
            for name, rule in rules.items()
        }
        # The paper's template: the new value of a cell is derived from the cell, whatever else it reads.
        others = {
            name: [each for each in given.template(found, name).reads if each != Read(name)]
            for name, found in reads.items()
        }
        templates = [Template((Read(name), *others.get(name, ())), (name,)) for name in rules]
        is_repeatable = all(each.is_repeatable for each in reads.values())
        types = {name: each.type for name, each in reads.items()}
        if returns is not None:
            given.check_expression(f"cast(null as {returns})")
            changed, types = {name: f"cast({sql} as {returns})" for name, sql in changed.items()}, {}
        outputs = given.outputs(changed, types=types)
        whole = given.around(outputs, reads.values())
        return Applied(_said(rules), outputs, tuple(templates), whole=whole, is_repeatable=is_repeatable)


def _rules(given: Given, columns: str | Sequence[str] | Mapping[str, Rule], expression: Rule | None) -> dict[str, Rule]:
    """What to do with each column."""
    if isinstance(columns, Mapping):
        if expression is not None:
            raise UserError("transform takes an expression for all columns, or one for each, not both.")
        rules: dict[str, Rule] = {given.column(name).name: rule for name, rule in columns.items()}
    elif expression is None:
        raise UserError("transform needs an expression.", 'For example: transform(["name"], "trim({})").')
    else:
        names = [columns] if isinstance(columns, str) else columns
        rules = {given.column(name).name: expression for name in names}
    if not rules:
        raise UserError("transform needs a column.")
    return rules


def _said(rules: Mapping[str, Rule]) -> str:
    """What was done, column by column where columns differ."""
    texts = {name: rule for name, rule in rules.items() if isinstance(rule, str)}
    mapped = [name for name in rules if name not in texts]
    parts = [
        f"made {listed(name for name in texts if texts[name] == rule)} {rule}" for rule in dict.fromkeys(texts.values())
    ]
    if mapped:
        parts.append(f"replaced values of {listed(mapped)} by others")
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _mapped(given: Given, name: str, entries: Mapping[object, object]) -> str:
    column, kind = quoted(name), given.column(name).type
    is_text = any(isinstance(value, str) for value in entries.values())
    to = "string" if is_text else kind
    cases = " ".join(f"when {column} <=> {typed(old, kind)} then {typed(new, to)}" for old, new in entries.items())
    return f"case {cases} else cast({column} as {to}) end" if entries else column


def _by_function(given: Given, functions: Mapping[str, Callable[..., object]], returns: str | None) -> Applied:
    types = {name: returns or given.column(name).type for name in functions}
    called = dict.fromkeys(getattr(each, "__name__", "a function") for each in functions.values())
    return Applied(
        f"Made {listed(functions)} what {listed(called)} gives.",
        given.outputs(),
        tuple(Template((Read(name),), (name,)) for name in functions),
        whole=Whole(functions=dict(functions), types=types),
    )
