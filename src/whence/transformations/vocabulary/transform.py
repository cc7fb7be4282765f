"""Compute values of columns anew, from SQL or a Python function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import NewRows, TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

Rule = str | Mapping[Any, object] | Callable[..., object]
"""SQL, a mapping of values, or a function of a value."""


class Transform(Transformation):
    """Compute values anew by an expression, in which `{}` stands for the column, by a mapping of old values to new, or
    by a Python function, whose results have the type `returns` or that of the column."""

    name = "transform"
    title = "Transform values"
    group = "Prepare"
    pattern = "transformation"
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

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns = cast("str | Sequence[str] | Mapping[str, Rule]", arguments.value("columns"))
        rules, returns = (
            _rules(table, columns, cast("Rule | None", arguments.value("expression"))),
            arguments.maybe("returns"),
        )
        functions = {name: rule for name, rule in rules.items() if callable(rule)}
        if functions:
            if len(functions) < len(rules):
                raise UserError("A step calls Python functions or computes in SQL, not both.", "Make two steps.")
            return _by_function(table, functions, returns)
        written = {name: rule.replace("{}", quoted(name)) for name, rule in rules.items() if isinstance(rule, str)}
        reads = table.expressions(written, may_look_around=True)
        changed = {
            name: _mapped(table, name, rule) if isinstance(rule, Mapping) else written[name]
            for name, rule in rules.items()
        }
        # The paper's template: the new value of a cell is derived from the cell, whatever else it reads.
        others = {
            name: [each for each in table.template(found, name).reads if each != Read(name)]
            for name, found in reads.items()
        }
        templates = [Template((Read(name), *others.get(name, ())), (name,)) for name in rules]
        is_repeatable = all(each.is_repeatable for each in reads.values())
        types = {name: each.type for name, each in reads.items()}
        if returns is not None:
            # The type goes into the SQL text as it is; a server refuses what it must not run.
            table.check_expression(f"cast(null as {returns})")
            changed, types = {name: f"cast({sql} as {returns})" for name, sql in changed.items()}, {}
        outputs = table.outputs(changed, types=types)
        new_rows = table.around(outputs, reads.values())
        return TransformationPlan(
            _describe(rules), outputs, tuple(templates), new_rows=new_rows, is_repeatable=is_repeatable
        )


def _rules(
    table: InputTable, columns: str | Sequence[str] | Mapping[str, Rule], expression: Rule | None
) -> dict[str, Rule]:
    """Return the rule for each column."""
    if isinstance(columns, Mapping):
        if expression is not None:
            raise UserError("transform takes an expression for all columns, or one for each, not both.")
        rules: dict[str, Rule] = {table.column(name).name: rule for name, rule in columns.items()}
    elif expression is None:
        raise UserError("transform needs an expression.", 'For example: transform(["name"], "trim({})").')
    else:
        names = [columns] if isinstance(columns, str) else columns
        rules = {table.column(name).name: expression for name in names}
    if not rules:
        raise UserError("transform needs a column.")
    return rules


def _describe(rules: Mapping[str, Rule]) -> str:
    """Return a sentence about the rules; columns with the same rule stand together."""
    texts = {name: rule for name, rule in rules.items() if isinstance(rule, str)}
    mapped = [name for name in rules if name not in texts]
    parts = [
        f"made {join_names(name for name in texts if texts[name] == rule)} {rule}"
        for rule in dict.fromkeys(texts.values())
    ]
    if mapped:
        parts.append(f"replaced values of {join_names(mapped)} by others")
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _mapped(table: InputTable, name: str, entries: Mapping[object, object]) -> str:
    column, kind = quoted(name), table.column(name).type
    is_text = any(isinstance(value, str) for value in entries.values())
    to = "string" if is_text else kind
    cases = " ".join(f"when {column} <=> {typed(old, kind)} then {typed(new, to)}" for old, new in entries.items())
    return f"case {cases} else cast({column} as {to}) end" if entries else column


def _by_function(
    table: InputTable, functions: Mapping[str, Callable[..., object]], returns: str | None
) -> TransformationPlan:
    types = {name: returns or table.column(name).type for name in functions}
    called = dict.fromkeys(getattr(each, "__name__", "a function") for each in functions.values())
    return TransformationPlan(
        f"Made {join_names(functions)} what {join_names(called)} gives.",
        table.outputs(),
        tuple(Template((Read(name),), (name,)) for name in functions),
        new_rows=NewRows(functions=dict(functions), types=types),
    )
