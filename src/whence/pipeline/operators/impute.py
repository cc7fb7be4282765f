"""Fill missing values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.model.errors import UserError
from whence.model.schema import Field
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, is_number, is_whole, listed
from whence.pipeline.model import fit_line
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Statistic, Template
from whence.plan.sql_text import quoted, text, typed

METHODS = ("mean", "median", "mode", "model")
_MOST_GROUPS = 10_000


class Impute(Operator):
    """Missing values become the column's mean, median or mode, of all rows or of those equal in `by`, what a model
    says that was fitted to the columns `using`, or a constant given as `{"value": ...}` (numbers: as they are)."""

    name = "impute"
    title = "Fill missing values"
    core = "transformation"
    provenance = "a filled cell comes from itself and from the column's statistic, which comes from the column"

    def apply(
        self,
        given: Given,
        columns: Mapping[str, object],
        by: str | Sequence[str] = (),
        using: str | Sequence[str] = (),
    ) -> Applied:
        if not columns:
            raise UserError("impute needs a column and what to fill it with.", 'For example: impute({"age": "mean"}).')
        groups = tuple(column.name for column in given.columns(by)) if by else ()
        inputs = given.columns(using) if using else []
        fills = {name: _fill(given, given.column(name), how, groups, inputs) for name, how in columns.items()}
        said = "; ".join(f"{name} with {fill.said}" for name, fill in fills.items())
        templates = tuple(
            Template((Read(name), *(Read(each) for each in fill.reads)), (name,), fill.statistics)
            for name, fill in fills.items()
        )
        changed = {name: fill.sql for name, fill in fills.items()}
        return Applied(f"Filled missing values: {said}.", given.outputs(changed), templates, template_reading="changed")


@dataclass(frozen=True)
class _Fill:
    sql: str
    said: str
    statistics: tuple[Statistic, ...] = ()
    reads: tuple[str, ...] = ()


def _fill(given: Given, column: Field, how: object, by: tuple[str, ...], using: list[Field]) -> _Fill:
    if isinstance(how, Mapping) and set(how) == {"value"}:
        return _constant(given, column, how["value"])
    if not isinstance(how, str):
        return _constant(given, column, how)
    if how not in METHODS:
        known = f"Use {', '.join(METHODS)}, or {{'value': ...}} for a constant."
        raise UserError(f"impute does not know the method {how}.", known)
    if how in ("mean", "median") and not is_number(column):
        raise UserError(f"{column.name} holds {column.type}, which has no {how}.", "Use mode or a constant.")
    if how == "model":
        return _by_model(given, column, using)
    (value,) = given.learn(f"cast({_statistic(how, column)} as string)")
    overall = typed(value, column.type)
    name = quoted(column.name)
    whole = Statistic(f"{how} of {column.name}", (column.name,), value, fills=True, given=(column.name,))
    if not by:
        return _Fill(f"coalesce({name}, {overall})", f"its {how}, {value}", (whole,))
    found = _group_values(given, column, how, by)
    grouped = Statistic(
        f"{how} of {column.name} by {', '.join(by)}", (column.name,), found, by, fills=True, given=(column.name,)
    )
    sql = f"coalesce({name}, {_lookup(given, column, by, found)}, {overall})"
    return _Fill(sql, f"its {how} by {', '.join(by)}", (grouped,), by)


def _constant(given: Given, column: Field, value: object) -> _Fill:
    (row,) = given.ask(f"select try_cast({text(str(value))} as {column.type}) as v")
    if row["v"] is None:
        raise UserError(f"{value} is no value of {column.name}, which holds {column.type}.")
    return _Fill(f"coalesce({quoted(column.name)}, {typed(value, column.type)})", str(value))


def _by_model(given: Given, column: Field, using: list[Field]) -> _Fill:
    """A line fitted to numbers; for anything else the most frequent value of rows equal in the inputs."""
    if not using:
        raise UserError(f"A model of {column.name} needs using=, the columns it is fitted to.")
    names = tuple(each.name for each in using)
    if column.name in names:
        raise UserError(f"{column.name} cannot be filled from itself.")
    name = quoted(column.name)
    if not is_number(column) or not all(map(is_number, using)):
        found = _group_values(given, column, "mode", names)
        learned = Statistic(
            f"model of {column.name} on {', '.join(names)}", (column.name,), found, names, fills=True,
            given=(column.name,),
        )  # fmt: skip
        return _Fill(
            f"coalesce({name}, {_lookup(given, column, names, found)})",
            f"the most frequent value of rows with the same {listed(names)}",
            (learned,),
            names,
        )
    line = fit_line(given, column.name, names)
    value = f"round({line.sql})" if is_whole(column) else line.sql
    learned = Statistic(
        f"model of {column.name} on {', '.join(names)}", (column.name, *names), line.said, fills=True,
        given=(column.name, *names),
    )  # fmt: skip
    return _Fill(f"coalesce({name}, cast({value} as {column.type}))", line.said, (learned,), names)


def _statistic(method: str, column: Field) -> str:
    """The statistic in the column's own type: the mean of whole numbers is rounded to one."""
    name = quoted(column.name)
    if method == "mode":  # of equally frequent values the smallest, so that a second run finds the same
        return f"mode({name}, true)"
    value = f"{'avg' if method == 'mean' else 'median'}({name})"
    return f"cast({f'round({value})' if is_whole(column) else value} as {column.type})"


def _group_values(given: Given, column: Field, method: str, by: tuple[str, ...]) -> dict[str, str]:
    keys = f"to_json(struct({', '.join(quoted(each) for each in by)}))"
    rows = given.ask(
        f"select {keys} as k, cast({_statistic(method, column)} as string) as v from {given.view} "
        f"group by 1 having v is not null order by 1 limit {_MOST_GROUPS + 1}"
    )
    if len(rows) > _MOST_GROUPS:
        raise UserError(f"{given.label} has more than {_MOST_GROUPS:,} groups to fill from.", "Group by fewer columns.")
    return {str(row["k"]): str(row["v"]) for row in rows}


def _lookup(given: Given, column: Field, by: tuple[str, ...], found: Mapping[str, str]) -> str:
    if not found:
        return f"cast(null as {column.type})"
    keys = f"to_json(struct({', '.join(quoted(each) for each in by)}))"
    pairs = ", ".join(f"{text(key)}, {text(value)}" for key, value in found.items())
    return f"cast(try_element_at(map({pairs}), {keys}) as {column.type})"
