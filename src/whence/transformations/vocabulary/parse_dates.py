"""Read dates that are written in several forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whence.model.parameter import Parameter
from whence.model.plural import counted
from whence.model.schema import Field
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, Output, TransformationPlan
from whence.transformations.sql import concat_text, lookup, quoted, text, with_columns
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_MONTHS = {
    name: str(number)
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
            ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"), ("october", "oct"), ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip

_START = r"(?i)^\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+)?"
_END = r"(?:[T ]+00:00(?::00(?:[.]0+)?)?Z?)?\s*$"
_FULL, _YEAR, _NAME, _ONE, _TH = r"(\d{4})", r"(\d{4}|\d{2})", "([a-z]{3,9})", r"(\d{1,2})", "(?:st|nd|rd|th)?"
_NUMBERS = rf"{_START}{_ONE}([-/. ]){_ONE}\2{_YEAR}{_END}"
"""Three numbers, with day and month in either order before the year."""
_FORMS: Mapping[str, tuple[int, int, int]] = {
    rf"{_START}{_FULL}([-/. ]){_ONE}\2{_ONE}{_END}": (1, 3, 4),
    r"^\s*(\d{4})(\d{2})(\d{2})\s*$": (1, 2, 3),
    rf"{_START}{_ONE}{_TH}[- /.]*{_NAME}[.,]?[- /]*{_YEAR}{_END}": (3, 2, 1),
    rf"{_START}{_NAME}[.]?[- /]*{_ONE}{_TH}(?:,[- ]*|[- /]+){_YEAR}{_END}": (3, 1, 2),
    rf"{_START}{_FULL}[- /]{_NAME}[.]?[- /]{_ONE}{_END}": (1, 2, 3),
}
"""A pattern, and which of its groups hold year, month and day."""


class ParseDates(Transformation):
    """Turn texts into dates: year first, day first or month first, with numbers or English names of months."""

    name = "parse_dates"
    title = "Read dates in several forms"
    group = "Clean"
    provenance = "a date comes from the cell that was read, and from the order learned from the column"
    guesses = "dates that may be day first or month first, years of two digits, texts that are no date"
    parameters = (
        Parameter("column", "column", "the text column to read", is_required=True),
        Parameter(
            "order", "choice", "whether 1/2/2020 has the day or the month first; learned if left open",
            choices=("day first", "month first"),
        ),
    )  # fmt: skip
    example = {"column": "day", "order": "day first"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        (column,) = table.text_columns((arguments.column("column"),))
        dates = _Dates(table, column)
        order = arguments.maybe("order")
        learned = {} if order else dates.learn(table)
        read = order or str(learned["order"])
        how = "as given" if order else _describe_order(int(str(learned["of that order"])))
        statistic = Statistic(f"order of {column.name}", (column.name,), learned, non_null=(column.name,))
        return TransformationPlan(
            f"{column.name} is read as dates, {read}, {how}.{table.learned_in_doubt(column)}",
            table.outputs({column.name: dates.value}),
            (Template((Read(column.name),), (column.name,), () if order else (statistic,)),),
            dates.guesses(read, is_given=order is not None),
            learned,
            below=dates.below(read),
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        if look.writing == "dates":
            name = look.column.name
            yield Suggestion(self.name, f"Most values of {name} are dates, written as text.", {"column": name})


_OTHER_ORDER = {"day first": "month first", "month first": "day first"}


class _Dates:
    """SQL expressions that read one column of dates; a stage below computes the parts of each text."""

    def __init__(self, table: InputTable, column: Field) -> None:
        self._column, self._read = column.name, quoted(column.name)
        self._names = [table.helper(f"date {name}") for name in ("year", "month", "day", "first", "second", "value")]
        self._year, self._month, self._day, self._first, self._second, self.value = map(quoted, self._names)
        self._parts = tuple(Output(name, sql) for name, sql in zip(self._names, self._part_sql(), strict=False))

    def below(self, order: str) -> tuple[tuple[Output, ...], ...]:
        """Return two stages: the parts of each text, then its date; both are missing for a text of no known form."""
        return self._parts, (Output(self._names[-1], self._date(order)),)

    def _date(self, order: str) -> str:
        is_day_first = "true" if order == "day first" else "false"
        by_order = f"if({self._first} > 12 or (({is_day_first}) and {self._second} <= 12), "
        day = f"coalesce({self._day}, {by_order}{self._first}, {self._second}))"
        month = f"coalesce({self._month}, {by_order}{self._second}, {self._first}))"
        year = f"if(length({self._year}) = 2, concat(if({self._year} < '70', '20', '19'), {self._year}), {self._year})"
        return f"try_cast(concat({year}, '-', {month}, '-', {day}) as date)"

    def guesses(self, order: str, *, is_given: bool) -> tuple[Guess, ...]:
        value = self.value
        shown = concat_text(text("'"), self._read, text("'"))
        is_date = f"{value} is not null"
        either = f"{is_date} and {self._first} <= 12 and {self._second} <= 12 and {self._first} <> {self._second}"
        other = f"{is_date} and {self._second if order == 'day first' else self._first} > 12"
        century = f"{is_date} and length({self._year}) = 2"
        misfit = f"trim({self._read}) <> '' and {value} is null"
        taken = (value, text(" was taken."))
        # Where the century is not known either, the other order is not the only other date.
        turned = f"if(length({self._year}) = 2, null, {self._date(_OTHER_ORDER[order])})"
        no_date = concat_text(shown, text(f" is no date, so {self._column} is missing here."))
        no_century = concat_text(text("The century of "), shown, text(" is not written; "), *taken)
        in_two_ways = concat_text(shown, text(" may be day first or month first; "), *taken)
        return (
            Guess(self._column, "date", misfit, no_date),
            Guess(self._column, "date", century, no_century),
            Guess(self._column, "date", other, concat_text(shown, text(f" cannot be {order}; "), *taken))
            if is_given
            else Guess(self._column, "date", either, in_two_ways, low=turned, high=turned),
        )

    def learn(self, table: InputTable) -> dict[str, object]:
        """Return the order of most dates that can be read in one way only; day first if there is no majority."""
        (row,) = table.ask(
            f"select count_if({self._first} > 12 and {self._second} <= 12) as day, "
            f"count_if({self._second} > 12 and {self._first} <= 12) as month "
            f"from {with_columns(table.view, self._parts)}"
        )
        day, month = int(str(row["day"])), int(str(row["month"]))
        order = "month first" if month > day else "day first"
        return {"order": order, "of that order": max(day, month), "of the other": min(day, month)}

    def _part_sql(self) -> tuple[str, ...]:
        parts: dict[str, list[str]] = {"year": [], "month": [], "day": []}
        for pattern, places in _FORMS.items():
            for part, place in zip(parts, places, strict=True):
                parts[part].append(self._group(pattern, place))
        parts["year"].append(self._group(_NUMBERS, 4))
        year, month, day = (f"coalesce({', '.join(found)})" for found in parts.values())
        named = f"coalesce({lookup(f'lower({month})', _MONTHS)}, {month})"
        first, second = (f"cast({self._group(_NUMBERS, place)} as int)" for place in (1, 3))
        return year, named, day, first, second

    def _group(self, pattern: str, number: int) -> str:
        # regexp_extract gives an empty text, not NULL, where nothing matches.
        return f"nullif(regexp_extract({self._read}, {text(pattern)}, {number}), '')"


def _describe_order(certain: int) -> str:
    """Return in words how the order was learned."""
    if certain == 0:
        return "a guess, because no date tells which comes first"
    return f"as in {counted(certain, 'date')} that {'leaves' if certain == 1 else 'leave'} no doubt"
