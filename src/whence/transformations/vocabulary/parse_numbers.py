"""Read amounts such as `21 USD`, `$19.00`, `1.234,5 kg`: a number and a unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, Output, TransformationPlan
from whence.transformations.sql import concat_text, lookup, quoted, text, with_columns
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_SYMBOLS = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "£": "GBP", "gbp": "GBP", "¥": "JPY", "jpy": "JPY", "yen": "JPY", "₹": "INR", "inr": "INR",
    "chf": "CHF", "cad": "CAD", "ca$": "CAD", "aud": "AUD", "a$": "AUD", "cny": "CNY", "sek": "SEK", "nok": "NOK",
    "dkk": "DKK", "kr": "SEK", "krw": "KRW", "₩": "KRW", "brl": "BRL", "r$": "BRL", "mxn": "MXN", "pln": "PLN",
    "zł": "PLN",
}  # fmt: skip
_SHARED = ("$", "¥", "kr", "dollar", "dollars")
"""Signs that several currencies use."""

# In Java's regular expressions (?U) lets \s match all spaces of Unicode; \u2019 is the typographic apostrophe, by which
# Swiss numbers are grouped, and \u2212 the minus sign.
_SPACE = r"[\s'\u2019]"
_UNIT = r"([^\d\s.,+\-()'\u2019](?:[^()\d]*[^()\d\s])?\d?)?"
_AMOUNT = (
    rf"(?U)^\s*(\()?\s*([-+\u2212])?\s*([^\d\s.,+\-\u2212()][^\d.,+\-\u2212()]*?)?\s*([-+\u2212])?\s*"
    rf"(\d(?:[\d.,]|{_SPACE}(?=\d))*|[.,]\d+)\s*\)?\s*{_UNIT}\s*\)?\s*$"
)
_GROUPING_SPACE = rf"(?U)(?<=\d){_SPACE}(?=\d{{3}}(?!\d))"

# What the separators of one number say. A lone one before three digits may be either.
_EITHER = "^[1-9][0-9]{0,2}[.,][0-9]{3}$"
_POINT = "^([0-9]+|[0-9]*[.][0-9]+|[0-9]+[.]|[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]*)?)$"
_COMMA = "^([0-9]+|[0-9]*,[0-9]+|[0-9]+,|[1-9][0-9]{0,2}([.][0-9]{3})+(,[0-9]*)?)$"
_BOTH_COMMA_LAST = "^[0-9]{1,3}([.][0-9]{3})+,[0-9]*$"


class ParseNumbers(Transformation):
    """Turn a text column into a number and a column for its unit; a text that is no amount becomes missing."""

    name = "parse_numbers"
    title = "Read numbers with units"
    group = "Clean"
    provenance = "number and unit come from the cell that was read, and from the separator learned from the column"
    guesses = (
        "numbers whose separators can be read in two ways, texts that are no number, signs that several currencies "
        "share, units that were assumed"
    )
    parameters = (
        Parameter("column", "column", "the text column to read", is_required=True),
        Parameter("unit", "text", "the name of the unit column; column_unit if left open"),
        Parameter(
            "decimal", "choice", "the decimal separator; learned from the column if left open", choices=(".", ",")
        ),
        Parameter("unit_if_missing", "text", "the unit of numbers that have none; left missing if open"),
        Parameter("symbols", "mapping", "what signs stand for, such as {'$': 'CAD'}"),
        Parameter("type", "text", "the type of the number", "double"),
    )
    example = {"column": "price"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        (column,) = table.text_columns((arguments.column("column"),))
        amount = _Amount(table, column, arguments)
        unit = table.new_name(arguments.maybe("unit") or f"{column.name}_unit")
        outputs = [
            each
            for output in table.outputs({column.name: amount.value})
            for each in ([output, Output(unit, amount.unit)] if output.name == column.name else [output])
        ]
        learned = (
            Statistic(f"separator of {column.name}", (column.name,), dict(amount.learned), non_null=(column.name,)),
        )
        return TransformationPlan(
            f"{column.name} is read as number and unit; {amount.reading}{table.learned_in_doubt(column)}",
            tuple(outputs),
            (Template((Read(column.name),), (column.name, unit), learned if amount.learned else ()),),
            (*amount.value_guesses, *amount.unit_guesses(unit)),
            amount.learned,
            below=amount.below,
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        if look.writing == "amounts":
            name = look.column.name
            yield Suggestion(self.name, f"Most values of {name} are a number with a unit.", {"column": name})


class _Amount:
    """SQL expressions that read one column of amounts; a stage below computes the parts of each text."""

    def __init__(self, table: InputTable, column: Field, arguments: Arguments) -> None:
        self._column, self._read = column.name, quoted(column.name)
        names = [table.helper(f"amount {name}") for name in ("digits", "sign", "prefix", "suffix", "value")]
        self._digits, self._sign, self._prefix, self._suffix, self.value = map(quoted, names)
        parts = tuple(Output(name, sql) for name, sql in zip(names, self._parts(), strict=False))
        self._symbols = {**_SYMBOLS, **{str(k).lower(): str(v) for k, v in arguments.mapping("symbols").items()}}
        self._shared = [sign for sign in _SHARED if sign not in {k.lower() for k in arguments.mapping("symbols")}]
        self._assumed = arguments.maybe("unit_if_missing")
        self._decimal = arguments.maybe("decimal")
        self._type = self._checked_type(table, arguments.text("type"))
        self.learned: Mapping[str, object] = {} if self._decimal else self._learn(table, parts)
        separator = self._decimal or str(self.learned["decimal separator"])
        self._is_comma = separator == ","
        found = "as given" if self._decimal else f"as in {self.learned['of that form']} of its values"
        self.reading = f"the decimal separator is '{separator}', {found}."
        self.below = (parts, (Output(names[-1], self._number),))

    @property
    def _number(self) -> str:
        return self._read_as(self._reads_comma)

    def _read_as(self, comma: str) -> str:
        """SQL for the number, where `comma` says whether the comma is its decimal separator."""
        by_point, by_comma = f"replace({self._digits}, ',', '')", f"replace(replace({self._digits}, '.', ''), ',', '.')"
        digits = f"case when {comma} then {by_comma} when not {comma} then {by_point} end"
        return f"try_cast(concat({self._sign}, {digits}) as {self._type})"

    @property
    def unit(self) -> str:
        found = f"if({self._suffix} <> '', {self._suffix}, {self._prefix})"
        known = f"coalesce({lookup(f'lower({found})', self._symbols)}, nullif({found}, ''))"
        assumed = f"coalesce({known}, {text(self._assumed)})" if self._assumed else known
        return f"if({self.value} is not null, {assumed}, null)"

    @property
    def value_guesses(self) -> tuple[Guess, ...]:
        shown = concat_text(text("'"), self._read, text("'"))
        misfit = concat_text(shown, text(f" is no number, so {self._column} is missing here."))
        is_misfit = f"trim({self._read}) <> '' and {self.value} is null"
        either = concat_text(
            text("The separators of "), shown, text(" can be read in two ways; "), self.value, text(" was taken.")
        )
        is_either = f"{self.value} is not null and {self._digits} rlike '{_EITHER}|{_BOTH_COMMA_LAST}'"
        guesses = [Guess(self._column, "number", is_misfit, misfit)]
        other = self._read_as(f"(not ({self._reads_comma}))")
        in_two_ways = Guess(self._column, "number", is_either, either, low=other, high=other)
        return tuple(guesses if self._decimal else [*guesses, in_two_ways])

    def unit_guesses(self, unit: str) -> tuple[Guess, ...]:
        """Return guesses for signs that currencies share, two units that differ, and a unit that was assumed."""
        is_number = f"{self.value} is not null"
        prefix, suffix = f"lower({self._prefix})", f"lower({self._suffix})"
        sign = f"if({suffix} <> '', {suffix}, {prefix})"
        guesses = []
        if self._shared:
            shared = ", ".join(text(each) for each in self._shared)
            # The sign in `$21 USD` is settled by the code.
            is_shared = f"{is_number} and {sign} in ({shared})"
            message = concat_text(
                text("Several currencies are written '"), sign, text("'; "), self.unit, text(" was taken.")
            )
            guesses.append(Guess(unit, "unit", is_shared, message))
        known = [f"coalesce({lookup(each, self._symbols)}, {each})" for each in (prefix, suffix)]
        differ = f"{is_number} and {prefix} <> '' and {suffix} <> '' and {known[0]} <> {known[1]}"
        both = concat_text(
            text("Two units are written, '"), prefix, text("' and '"), suffix, text("'; the second was taken.")
        )
        guesses.append(Guess(unit, "unit", differ, both))
        if self._assumed:
            missing = f"{is_number} and {prefix} = '' and {suffix} = ''"
            guesses.append(Guess(unit, "unit", missing, text(f"No unit is written; {self._assumed} was assumed.")))
        return tuple(guesses)

    @property
    def _reads_comma(self) -> str:
        """SQL for whether the comma is the decimal separator of a number; NULL if the number fits no form."""
        if self._decimal:
            # A number that does not follow the separator given is none.
            form = _COMMA if self._is_comma else _POINT
            return f"if({self._digits} rlike '{form}', {str(self._is_comma).lower()}, null)"
        is_comma, is_point = f"{self._digits} rlike '{_COMMA}'", f"{self._digits} rlike '{_POINT}'"
        column = str(self._is_comma).lower()
        return (
            f"case when {self._digits} rlike '{_EITHER}' then {column} when {is_point} then false "
            f"when {is_comma} then true end"
        )

    def _parts(self) -> tuple[str, ...]:
        def group(number: int) -> str:
            return f"coalesce(trim(regexp_extract({self._read}, {text(_AMOUNT)}, {number})), '')"

        negative = f"{group(1)} = '(' or {group(2)} in ('-', '\u2212') or {group(4)} in ('-', '\u2212')"
        digits = f"regexp_replace({group(5)}, {text(_GROUPING_SPACE)}, '')"
        return digits, f"if({negative}, '-', '')", group(3), group(6)

    def _learn(self, table: InputTable, parts: tuple[Output, ...]) -> dict[str, object]:
        """Return the decimal separator of most numbers that have one reading; the point if counts are equal."""
        settled = f"not {self._digits} rlike '{_EITHER}' and {self._digits} rlike '[.,]'"
        (row,) = table.ask(
            f"select count_if({settled} and {self._digits} rlike '{_POINT}') as point, "
            f"count_if({settled} and {self._digits} rlike '{_COMMA}') as comma from {with_columns(table.view, parts)}"
        )
        point, comma = int(str(row["point"])), int(str(row["comma"]))
        separator = "," if comma > point else "."
        return {"decimal separator": separator, "of that form": max(point, comma), "others": min(point, comma)}

    def _checked_type(self, table: InputTable, name: str) -> str:
        if not (name in ("double", "float", "int", "bigint") or name.startswith("decimal")):
            raise UserError(f"parse_numbers cannot give {name}.", "Use double, bigint or decimal(p,s).")
        table.ask(f"select {table.check_expression(f'try_cast(1 as {name})')} as v")
        return name
