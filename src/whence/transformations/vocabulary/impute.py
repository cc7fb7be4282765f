"""Fill missing values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.plan.sql_text import quoted, text, typed
from whence.transformations.arguments import Arguments
from whence.transformations.declared_ranges import DeclaredRange
from whence.transformations.input_table import InputTable, is_number, is_whole, join_names
from whence.transformations.line import fit_line
from whence.transformations.plan import Guess, TransformationPlan
from whence.transformations.sql import concat_text, lookup
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_METHODS = ("mean", "median", "mode", "model")
_PHRASES = {"mean": "the mean", "median": "the median", "mode": "the most frequent value"}
_MOST_GROUPS = 100_000
"""Limit on groups with a statistic of their own: `lookup` writes them all into the query."""


class Impute(Transformation):
    """Fill missing values with the mean, median or mode of the column, over all rows or over those equal in `by`; with
    the prediction of a model of the columns `using`; or with a given value."""

    name = "impute"
    title = "Fill missing values"
    group = "Clean"
    guesses = "each filled cell"
    provenance = "a filled cell comes from itself and from the column's statistic, which comes from the column"
    parameters = (
        Parameter("column", "column", "the column to fill"),
        Parameter("method", "choice", "what stands in", "median", choices=(*_METHODS, "constant")),
        Parameter("value", "value", "the value for method constant"),
        Parameter("by", "columns", "columns whose equal values make a group with a statistic of its own"),
        Parameter(
            "range",
            "choice",
            "what a filled cell can be: what a `between` check allows, or anything, or, as an assumption, all that the "
            "column holds; without a check, it can be anything",
            "checked",
            choices=("checked", "open", "observed"),
        ),
        Parameter("low", "value", "the least value that a filled cell can have, if you know it"),
        Parameter("high", "value", "the greatest value that a filled cell can have, if you know it"),
        Parameter("using", "columns", "with method model: the columns it is fitted to"),
        Parameter("columns", "mapping", 'several columns instead, each with a method or {"value": ...}'),
    )
    example = {"column": "age", "method": "mean", "by": ["sex"]}

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        parsed = super().check(asker, values)
        if bool(parsed["columns"]) == bool(parsed["column"]):
            raise UserError(f"{asker} needs column: the column to fill.", "Or columns, each with what to fill it with.")
        if parsed["column"] and parsed["method"] == "constant" and parsed["value"] is None:
            raise UserError(f"{asker} needs value: the value for method constant.")
        return parsed

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        fill_by_column = {table.column(name): how for name, how in _fills_by_column(arguments).items()}
        fills = [_fill(table, column, how, arguments) for column, how in fill_by_column.items()]
        fills = [_within_range(table, each, arguments) for each in fills]
        taught = [column for column, fill in zip(fill_by_column, fills, strict=True) if fill.statistic is not None]
        return TransformationPlan(
            f"Missing values of {'; '.join(f'{each.column.name} are {each.words}' for each in fills)}."
            f"{table.learned_in_doubt(*taught, *arguments.columns('by')) if taught else ''}",
            table.outputs({each.column.name: each.sql for each in fills}),
            tuple(each.template for each in fills),
            tuple(each.guess for each in fills),
            {name: value for each in fills for name, value in each.learned.items()},
            template_reading="changed",
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        profile, name = look.profile, look.column.name
        if 0 < profile.nulls < profile.count:
            method = "median" if profile.mean is not None else "mode"
            why = f"{profile.nulls / profile.count:.0%} of {name} is missing."
            yield Suggestion(self.name, why, {"column": name, "method": method})


def _fills_by_column(arguments: Arguments) -> Mapping[str, object]:
    """Return what each column is filled with, from `column` and `method`, or from `columns`."""
    if not arguments.has("column"):
        return arguments.mapping("columns")
    method = arguments.text("method")
    return {arguments.column("column").name: {"value": arguments.value("value")} if method == "constant" else method}


@dataclass(frozen=True)
class _Fill:
    """How one column is filled: the value that stands in, as SQL, and its description."""

    column: Field
    value: str
    words: str
    message: str
    """A SQL text that says what stands in."""
    statistic: Statistic | None = None
    reads: tuple[str, ...] = ()
    ends: tuple[str | None, str | None] = (None, None)
    """Between which values the cells are assumed to lie; None where that is not known."""
    assumed: str = ""
    """The sentence that says so."""

    @property
    def sql(self) -> str:
        return f"coalesce({quoted(self.column.name)}, {self.value})"

    @property
    def template(self) -> Template:
        reads = (Read(self.column.name), *(Read(each) for each in self.reads))
        return Template(reads, (self.column.name,), () if self.statistic is None else (self.statistic,))

    @property
    def guess(self) -> Guess:
        name = self.column.name
        low, high = (None if end is None else typed(end, self.column.type) for end in self.ends)
        message = f"concat({text(f'{name} is missing; ')}, {self.message}, {text(f' stands in for it.{self.assumed}')})"
        # Where nothing stands in, as a model gives nothing for a row without its inputs, nothing was guessed.
        return Guess(
            name, "imputed", f"{quoted(name)} is null and {self.value} is not null", message, low=low, high=high
        )

    @property
    def learned(self) -> dict[str, object]:
        return {} if self.statistic is None else {self.statistic.name: self.statistic.value}


def _fill(table: InputTable, column: Field, how: object, arguments: Arguments) -> _Fill:
    if isinstance(how, Mapping) and set(how) == {"value"}:
        return _constant(table, column, how["value"])
    if not isinstance(how, str):
        return _constant(table, column, how)
    if how not in _METHODS:
        known = f"Use {', '.join(_METHODS)}, or {{'value': ...}} for a constant."
        raise UserError(f"impute does not know the method {how}.", known)
    if how in ("mean", "median") and not is_number(column):
        raise UserError(f"{column.name} holds {column.type}, which has no {how}.", "Use mode or constant.")
    if how == "model":
        return _by_model(table, column, arguments.columns("using"))
    return _by_statistic(table, column, how, arguments.names("by"))


def _within_range(table: InputTable, fill: _Fill, arguments: Arguments) -> _Fill:
    """The fill, with the ends of what a cell can be: as given, else as the range that is chosen says."""
    given = arguments.value("low"), arguments.value("high")
    if given != (None, None):
        return _between(table, fill, given, "as was stated")
    if arguments.text("range") == "observed":
        return _within_observed(table, fill)
    declared = table.declared().get(fill.column.name.lower()) if arguments.text("range") == "checked" else None
    return fill if declared is None else _between(table, fill, declared, "as its check says")


def _between(table: InputTable, fill: _Fill, ends: DeclaredRange, why: str) -> _Fill:
    """The fill, with ends as values of the column; a whole number below or above an end that is none."""
    column, written = fill.column, []
    for end, rounding in zip(ends, ("ceil", "floor"), strict=True):
        value = text(str(end))
        whole = f"{rounding}(try_cast({value} as decimal(38,9)))" if is_whole(column) else value
        cast = f"select cast(try_cast({whole} as {column.type}) as string) as v"
        found = None if end is None else table.ask(cast)[0]["v"]
        if end is not None and found is None:
            raise UserError(f"{end} is no value of {column.name}, which holds {column.type}.")
        written.append(None if found is None else str(found))
    low, high = written
    words = f"between {low} and {high}" if low and high else f"at most {high}" if low is None else f"at least {low}"
    lie = "lie " if low and high else "be "
    return replace(fill, ends=(low, high), assumed=f" It is assumed to {lie}{words}, {why}.")


def _within_observed(table: InputTable, fill: _Fill) -> _Fill:
    """The fill, with the least and the greatest value of the column as the ends of what a cell can be."""
    name = quoted(fill.column.name)
    ends = f"cast(min({name}) as string) as low, cast(max({name}) as string) as high"
    (row,) = table.ask(f"select {ends} from {table.view}")
    if row["low"] is None:
        raise UserError(f"{table.label} has no values of {fill.column.name} to take a range from.", "Leave range open.")
    low, high = str(row["low"]), str(row["high"])
    assumed = f" It is assumed to lie between {low} and {high}, as all that {fill.column.name} holds."
    return replace(fill, ends=(low, high), assumed=assumed)


def _constant(table: InputTable, column: Field, value: object) -> _Fill:
    (row,) = table.ask(f"select try_cast({text(str(value))} as {column.type}) as v")
    if row["v"] is None:
        raise UserError(f"{value} is no value of {column.name}, which holds {column.type}.")
    words_of = f"{value}, the value given"
    return _Fill(column, typed(value, column.type), words_of, text(f"{words_of},"))


def _by_statistic(table: InputTable, column: Field, method: str, by: list[str]) -> _Fill:
    (found,) = table.learn(f"cast({_statistic(method, column)} as string)")
    if found is None:
        raise UserError(f"{table.label} gives no value to fill {column.name} with.", "Use method constant.")
    overall, name = typed(found, column.type), column.name
    if not by:
        over_all = Statistic(f"{method} of {name}", (name,), _number(column, found), fills=True, non_null=(name,))
        return _Fill(column, overall, f"{found}, {_PHRASES[method]}", text(f"{found}, {_PHRASES[method]},"), over_all)
    values, names = _group_values(table, column, method, by), ", ".join(by)
    own = lookup(_key(by), values)
    learned: dict[str, object] = {key: _number(column, value) for key, value in values.items()}
    grouped = Statistic(f"{method} of {name} by {names}", (name,), learned, tuple(by), fills=True, non_null=(name,))
    ours, theirs = f", {_PHRASES[method]} of its group by {names},", f"{found}, {_PHRASES[method]} of all rows,"
    return _Fill(
        column=column,
        value=f"coalesce(cast({own} as {column.type}), {overall})",
        words=f"{_PHRASES[method]} of their group by {names}, or {found}, that of all rows, where a group has no value",
        message=f"case when {own} is null then {text(theirs)} else {concat_text(own, text(ours))} end",
        statistic=grouped,
        reads=tuple(by),
    )


def _by_model(table: InputTable, column: Field, using: tuple[Field, ...]) -> _Fill:
    """Fill by a line fitted to numbers, or else by the most frequent value of rows with equal inputs."""
    if not using:
        raise UserError(f"A model of {column.name} needs using=, the columns it is fitted to.")
    names = [each.name for each in using]
    if column.name in names:
        raise UserError(f"{column.name} cannot be filled from itself.")
    title = f"model of {column.name} on {', '.join(names)}"
    if not is_number(column) or not all(map(is_number, using)):
        values = _group_values(table, column, "mode", names)
        learned = Statistic(title, (column.name,), values, tuple(names), fills=True, non_null=(column.name,))
        own, same = lookup(_key(names), values), f"the most frequent value of rows with the same {join_names(names)}"
        return _Fill(
            column=column,
            value=f"cast({own} as {column.type})",
            words=same,
            message=concat_text(own, text(f", {same},")),
            statistic=learned,
            reads=tuple(names),
        )
    line = fit_line(table, column.name, names)
    value = f"cast({f'round({line.sql})' if is_whole(column) else line.sql} as {column.type})"
    taught = (column.name, *names)
    fitted = Statistic(title, taught, line.words, fills=True, non_null=taught)
    return _Fill(
        column=column,
        value=value,
        words=line.words,
        message=concat_text(value, text(f", which is {line.words},")),
        statistic=fitted,
        reads=tuple(names),
    )


def _statistic(method: str, column: Field) -> str:
    """Return the aggregate in the column's own type: the mean of whole numbers is rounded."""
    name = quoted(column.name)
    if method == "mode":  # of equally frequent values the smallest, so that a second run finds the same
        return f"mode({name}, true)"
    value = f"{'avg' if method == 'mean' else 'median'}({name})"
    return f"cast({f'round({value})' if is_whole(column) else value} as {column.type})"


def _number(column: Field, found: object) -> object:
    """Return a statistic of numbers as a number, of anything else as text."""
    if not is_number(column):
        return found
    return int(str(found)) if is_whole(column) else float(str(found))


def _group_values(table: InputTable, column: Field, method: str, by: list[str]) -> dict[str, str]:
    rows = table.ask(
        f"select {_key(by)} as k, cast({_statistic(method, column)} as string) as v from {table.view} "
        f"group by 1 having v is not null order by 1 limit {_MOST_GROUPS + 1}"
    )
    if len(rows) > _MOST_GROUPS:
        raise UserError(f"{table.label} has more than {_MOST_GROUPS:,} groups to fill from.", "Group by fewer columns.")
    return {str(row["k"]): str(row["v"]) for row in rows}


def _key(by: list[str]) -> str:
    return f"to_json(struct({', '.join(map(quoted, by))}))"
