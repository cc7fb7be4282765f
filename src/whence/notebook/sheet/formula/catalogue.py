"""The catalogue of functions for people: what each takes and does. The documentation and completion read it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FunctionEntry:
    """One function: its name, its arguments as they are typed, and a sentence about it."""

    name: str
    arguments: str
    sentence: str
    group: str


_GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Numbers": {
        "ABS": ("number", "The number without its sign."),
        "INT": ("number", "The next whole number below."),
        "MOD": ("number, divisor", "The rest of a division, with the sign of the divisor."),
        "POWER": ("number, exponent", "The number raised to a power."),
        "ROUND": ("number, [digits]", "Rounded to so many digits after the point, halves away from zero."),
        "ROUNDDOWN": ("number, [digits]", "Rounded towards zero."),
        "ROUNDUP": ("number, [digits]", "Rounded away from zero."),
        "SQRT": ("number", "The square root; `#NUM!` below zero."),
        "VALUE": ("text", "The number that a text shows."),
    },
    "Logic": {
        "AND": ("condition, ...", "Whether all conditions hold."),
        "COALESCE": ("value, ...", "The first value that is not empty."),
        "IF": ("condition, then, [else]", "One value if a condition holds, else another."),
        "IFERROR": ("value, instead", "The value, or another one if it failed."),
        "IFS": ("condition, value, ...", "The value after the first condition that holds; `#N/A` if none does."),
        "ISBLANK": ("value", "Whether a cell is empty."),
        "ISERROR": ("value", "Whether a value failed."),
        "ISNUMBER": ("value", "Whether a value is a number."),
        "ISTEXT": ("value", "Whether a value is a text."),
        "NOT": ("condition", "Whether a condition does not hold."),
        "OR": ("condition, ...", "Whether one of the conditions holds."),
        "SWITCH": ("value, case, result, ..., [else]", "The result after the case that equals the value; else `#N/A`."),
    },
    "Texts": {
        "CONCAT": ("value, ...", "All values as one text."),
        "EXACT": ("text, text", "Whether two texts are the same, capitals included."),
        "FIND": ("wanted, text, [start]", "Where a text begins in another one, from 1; `#VALUE!` if it is not in it."),
        "LEFT": ("text, [count]", "The first characters."),
        "LEN": ("text", "How many characters it has."),
        "LOWER": ("text", "In small letters."),
        "MID": ("text, start, count", "Characters from the middle."),
        "PROPER": ("text", "With a capital at the start of each word."),
        "REPT": ("text, count", "The text so many times."),
        "RIGHT": ("text, [count]", "The last characters."),
        "SPLITPART": ("text, separator, number, [parts]", "One part, from 1; the last of `parts` takes the rest."),
        "SUBSTITUTE": ("text, old, new", "With each `old` replaced by `new`."),
        "TEXT": ("value", "The value as a text."),
        "TEXTJOIN": ("delimiter, ignore_empty, text or area, ...", "All texts with a delimiter between them."),
        "TRIM": ("text", "Without spaces of any kind around it, and one space between words."),
        "UPPER": ("text", "In capitals."),
    },
    "Dates": {
        "DATE": ("year, month, day", "A date; months and days beyond the end go on in the next year or month."),
        "DATEDIF": ("start, end, unit", "Whole years, months or days (`Y`, `M`, `D`), or the rest (`MD`, `YM`, `YD`)."),
        "DATEVALUE": ("text, [order]", "The date in a text: 2024-02-29, or with `\"day first\"` 29/2/2024."),
        "DAY": ("date", "The day of the month."),
        "EDATE": ("date, months", "The same day so many months later, or the last one of a shorter month."),
        "EOMONTH": ("date, months", "The last day of the month so many months later."),
        "HOUR": ("time", "The hour."),
        "MINUTE": ("time", "The minute."),
        "MONTH": ("date", "The month, from 1."),
        "SECOND": ("time", "The second."),
        "WEEKDAY": ("date", "The day of the week: 1 is Sunday, 7 is Saturday."),
        "YEAR": ("date", "The year."),
    },
    "Areas": {
        "AVERAGE": ("area or number, ...", "The mean of the numbers; `#DIV/0!` if there is none."),
        "COUNT": ("area or value, ...", "How many numbers and dates there are."),
        "COUNTA": ("area or value, ...", "How many cells are not empty."),
        "COUNTBLANK": ("area", "How many cells are empty."),
        "LARGE": ("area, k", "The k-th largest number or date; `#NUM!` if there are fewer."),
        "MAX": ("area or number, ...", "The largest number or date."),
        "MEDIAN": ("area or number, ...", "The number in the middle."),
        "MIN": ("area or number, ...", "The smallest number or date."),
        "PRODUCT": ("area or number, ...", "The product of the numbers."),
        "RANK": ("number, area, [ascending]", "The place of a number in an area, the largest first; else `#N/A`."),
        "SMALL": ("area, k", "The k-th smallest number or date; `#NUM!` if there are fewer."),
        "SUM": ("area or number, ...", "The sum of the numbers."),
    },
    "Lookups": {
        "XLOOKUP": ("value, keys, results, [else]", "The result in the first row whose key is the value; else `#N/A`."),
    },
    "Areas with criteria": {
        "AVERAGEIF": ("tested, criterion, [area]", "The mean where a criterion such as `\">10\"` or `\"a*\"` is met."),
        "AVERAGEIFS": ("area, tested, criterion, ...", "The mean where all criteria are met."),
        "COUNTIF": ("tested, criterion", "How many cells meet a criterion."),
        "COUNTIFS": ("tested, criterion, ...", "In how many rows all criteria are met."),
        "SUMIF": ("tested, criterion, [area]", "The sum where a criterion is met."),
        "SUMIFS": ("area, tested, criterion, ...", "The sum where all criteria are met."),
    },
}  # fmt: skip

CATALOGUE: tuple[FunctionEntry, ...] = tuple(
    FunctionEntry(name, arguments, sentence, group)
    for group, functions in _GROUPS.items()
    for name, (arguments, sentence) in functions.items()
)
