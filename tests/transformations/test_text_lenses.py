"""Lenses over text, against plain Python on random tables: what they give, what they mark, where rows came from."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import date

import pytest

import whence
from tests.transformations.looks import each_its_own, marks, messages, raised, rows
from whence.model.errors import UserError

SEEDS = [pytest.param(seed, marks=() if seed == 0 else pytest.mark.long) for seed in range(20)]
NAME = "it's `so`.✨"
"""A column name with everything that could go wrong in SQL."""


def column(ws: whence.Workspace, values: list[str | None], name: str = NAME) -> whence.Dataset:
    return ws.create(
        "t", [(n, value) for n, value in enumerate(values)], schema=f"n int, `{name.replace('`', '``')}` string"
    )


def second(dataset: whence.Dataset, position: int = 1) -> list[object]:
    return [row[position] for row in rows(dataset)]


@pytest.mark.parametrize("seed", SEEDS)
def test_trim_case_and_replace_change_text_and_guess_nothing(ws: whence.Workspace, seed: int) -> None:
    chance = random.Random(seed)
    pieces = ["a", "B", "  ", "\t", "\u00a0", "é", "'", '"', "\\", "x1", "\n", "✨"]
    values = ["".join(chance.choices(pieces, k=chance.randint(0, 6))) for _ in range(60)] + [None, "", " "]
    given = column(ws, values)
    trimmed = ws.lens("trim", given, name="trimmed", inside=True)
    assert second(trimmed) == [v if v is None else re.sub(r"\s+", " ", v.strip()) for v in values]
    upper = ws.lens("change_case", given, name="upper", to="upper", columns=[NAME])
    assert second(upper) == [v if v is None else v.upper() for v in values]
    replaced = ws.lens("replace", given, name="replaced", columns=NAME, pattern=r"([a-z])\d|'", replacement="<$1>")
    assert second(replaced) == [v if v is None else re.sub(r"([a-z])\d|'", r"<\1>", v) for v in values]
    for made in (trimmed, upper, replaced):
        assert marks(made) == set()
        assert each_its_own(made)


def test_a_replacement_that_assumes_something_says_so_on_each_changed_cell(ws: whence.Workspace) -> None:
    given = column(ws, ["21 USD", "19", None, "$5"])
    made = ws.lens("replace", given, columns=NAME, pattern="[^0-9]", assuming="all prices are in dollars")
    assert second(made) == ["21", "19", None, "5"]
    assert marks(made) == raised(made) == {(0, NAME), (3, NAME)}
    assert messages(made, NAME)[0] == f"{NAME} was '21 USD'; it was changed assuming that all prices are in dollars."
    with pytest.raises(UserError, match=r"'\(' is not a regular expression"):
        ws.lens("replace", given, columns=NAME, pattern="(")


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_replaced_wherever_they_stand(ws: whence.Workspace, seed: int) -> None:
    chance = random.Random(seed)
    table = [
        (chance.choice(["?", "a", " ?", None]), chance.choice([1, 2, None]), chance.choice(["?", "b"]))
        for _ in range(20)
    ]
    given = ws.create("t", table, schema="x string, n int, y string")
    everywhere = ws.lens("replace", given, name="everywhere", values={"?": None})
    assert rows(everywhere) == [tuple(None if value == "?" else value for value in row) for row in table]
    assert marks(everywhere) == set()
    numbers = ws.lens("replace", given, name="numbers", values={"1": 7, "many": 8}, columns="n", assuming="1 is 7")
    assert rows(numbers) == [(x, 7 if n == 1 else n, y) for x, n, y in table]
    assert marks(numbers) == {(row, "n") for row, (_, n, _) in enumerate(table) if n == 1}
    texts = ws.lens("replace", given, name="texts", pattern="[?]", replacement="!")
    assert rows(texts) == [(x and x.replace("?", "!"), n, y.replace("?", "!")) for x, n, y in table]
    assert all(map(each_its_own, (everywhere, numbers, texts)))


@pytest.mark.parametrize("seed", SEEDS)
def test_split_marks_the_parts_of_texts_with_another_number_of_them(ws: whence.Workspace, seed: int) -> None:
    chance = random.Random(seed)
    parts = [chance.choices(["x", "", " y ", "z.w", "|"], k=chance.choice([2, 2, 2, 1, 3, 4])) for _ in range(40)]
    values = [None, *("||".join(each) for each in parts)]
    made = ws.lens("split_column", column(ws, values), column=NAME, separator="||", into=["left", "the `rest`"])
    expected, odd = [], set()
    for number, value in enumerate(values):
        split = [] if value is None else value.split("||", 1)
        expected.append((number, *[part.strip(" ") for part in split], *[None] * (2 - len(split))))
        if value is not None and len(value.split("||")) != 2:
            odd |= {(number, "left"), (number, "the `rest`")}
    assert rows(made) == expected
    assert marks(made) == raised(made) == odd
    assert each_its_own(made)


def test_split_learns_how_many_parts_there_are_mostly(ws: whence.Workspace) -> None:
    given = column(ws, ["a-b", "c-d", "e", None], name="x")
    made = ws.lens("split_column", given, column="x", separator="-", keep=True)
    assert made.columns == ["n", "x", "x_1", "x_2"]
    assert made.lens_report is not None
    assert made.lens_report.learned == {"parts": 2}
    assert marks(made) == {(2, "x_1"), (2, "x_2")}


@pytest.mark.parametrize("seed", SEEDS)
def test_merge_takes_the_first_value_and_marks_where_columns_differ(ws: whence.Workspace, seed: int) -> None:
    chance = random.Random(seed)
    table = [tuple(chance.choice([None, 1, 2]) for _ in range(3)) for _ in range(60)]
    given = ws.create("t", table, schema="a int, `b.c` int, d int")
    made = ws.lens("merge_columns", given, columns=["b.c", "a"], into="either")
    assert rows(made) == [(b if b is not None else a, d) for a, b, d in table]
    assert made.columns == ["either", "d"]
    differ = {(n, "either") for n, (a, b, _) in enumerate(table) if None not in (a, b) and a != b}
    assert marks(made) == raised(made) == differ
    assert each_its_own(made)
    joined = ws.lens("merge_columns", given, columns=["a", "d"], method="join", separator="-", name="joined")
    assert second(joined, 0) == ["-".join(str(v) for v in (a, d) if v is not None) or None for a, _, d in table]
    assert marks(joined) == set()


NUMBERS = {
    "21 USD": (21.0, "USD"), "$19.00": (19.0, "USD"), "USD 5": (5.0, "USD"), "€ 3,50": (3.5, "EUR"),
    "12,5 kg": (12.5, "kg"),
    "-7.25%": (-7.25, "%"), "(12.50)": (-12.5, None), "1 234 567 m2": (1234567.0, "m2"), "1,234.50": (1234.5, None),
    "1.234,5": (1234.5, None), "1,234": (1234.0, None), "1.234": (1.234, None), "0.125 l": (0.125, "l"),
    "12345": (12345.0, None),
    "1.234.567": (1234567.0, None), "$21 EUR": (21.0, "EUR"), "$ 21 USD": (21.0, "USD"), "call us": (None, None),
    "1.2.3": (None, None), "12 34": (None, None), "5 USD 6": (None, None), "": (None, None), ".5": (0.5, None),
    "- 3": (-3.0, None), "£1,000,000": (1000000.0, "GBP"), "1\u2019234.5 CHF": (1234.5, "CHF"),
}  # fmt: skip
TWO_WAYS = {"1.234,5", "1,234", "1.234"}
NO_NUMBER = {"call us", "1.2.3", "12 34", "5 USD 6"}


def test_amounts_become_numbers_and_units_and_guesses_are_marked(ws: whence.Workspace) -> None:
    texts = [*NUMBERS, None]
    made = ws.lens("parse_numbers", column(ws, texts, "price"), column="price")
    assert made.columns == ["n", "price", "price_unit"]
    found = {text: row[1:] for text, row in zip(texts, rows(made), strict=True)}
    assert found.pop(None) == (None, None)
    assert found == NUMBERS
    expected = {(n, "price") for n, text in enumerate(texts) if text in TWO_WAYS | NO_NUMBER}
    expected |= {(n, "price_unit") for n, text in enumerate(texts) if text in ("$19.00", "$21 EUR")}
    assert marks(made) == raised(made) == expected
    said = messages(made, "price")
    assert said[texts.index("1.234,5")] == "The separators of '1.234,5' can be read in two ways; 1234.5 was taken."
    assert said[texts.index("call us")] == "'call us' is no number, so price is missing here."
    assert made.lens_report is not None
    assert made.lens_report.learned["decimal separator"] == "."
    assert each_its_own(made)


def test_the_decimal_separator_is_learned_or_given(ws: whence.Workspace) -> None:
    given = column(ws, ["1.234", "1,5", "2,25", "7"], "x")
    learned = ws.lens("parse_numbers", given, column="x", name="learned", unit_if_missing="m", symbols={"$": "CAD"})
    assert [row[1:] for row in rows(learned)] == [(1234.0, "m"), (1.5, "m"), (2.25, "m"), (7.0, "m")]
    assert marks(learned) == {(0, "x"), *((n, "x_unit") for n in range(4))}
    told = ws.lens("parse_numbers", given, column="x", name="told", decimal=".", type="decimal(9,3)")
    assert [str(row[1]) for row in rows(told)] == ["1.234", "None", "None", "7.000"]
    assert marks(told) == {(1, "x"), (2, "x")}
    with pytest.raises(UserError, match="parse_numbers does not know the decimal ;"):
        ws.lens("parse_numbers", given, column="x", decimal=";")
    with pytest.raises(UserError, match="n holds int, not text"):
        ws.lens("parse_numbers", given, column="n")


DAY_FIRST = ["%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y"]
CERTAIN = ["%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%d %b %Y", "%d-%B-%Y", "%b %d, %Y", "%A, %d %B %Y", "%Y-%m-%d 00:00:00"]


@pytest.mark.parametrize("seed", SEEDS)
def test_dates_in_several_forms_are_read_and_ambiguous_ones_marked(ws: whence.Workspace, seed: int) -> None:
    chance = random.Random(seed)
    days = [date(chance.randint(1950, 2030), chance.randint(1, 12), chance.randint(1, 28)) for _ in range(60)]
    days.append(date(2020, 1, 31))
    forms = [chance.choice(DAY_FIRST + CERTAIN) for _ in days[:-1]] + ["%d/%m/%Y"]
    texts = [day.strftime(form) for day, form in zip(days, forms, strict=True)] + ["2020-02-30", "soon", "", None]
    made = ws.lens("parse_dates", column(ws, texts, "when"), column="when")
    assert second(made) == [*days, None, None, None, None]
    either = {
        (n, "when")
        for n, (day, form) in enumerate(zip(days, forms, strict=True))
        if form in DAY_FIRST and day.day <= 12 and day.day != day.month
    }
    assert marks(made) == raised(made) == either | {(61, "when"), (62, "when")}
    assert each_its_own(made)


def test_the_order_of_day_and_month_is_learned_or_given(ws: whence.Workspace) -> None:
    given = column(ws, ["1/2/2020", "12/31/2020", "11/30/99", "13/1/2020"], "d")
    learned = ws.lens("parse_dates", given, column="d", name="learned")
    assert second(learned) == [date(2020, 1, 2), date(2020, 12, 31), date(1999, 11, 30), date(2020, 1, 13)]
    assert marks(learned) == {(0, "d"), (2, "d")}
    assert learned.lens_report is not None
    assert learned.lens_report.learned == {"order": "month first", "of that order": 2, "of the other": 1}
    told = ws.lens("parse_dates", given, column="d", name="told", order="day first")
    assert second(told)[0] == date(2020, 2, 1)
    assert marks(told) == {(1, "d"), (2, "d")}


@pytest.mark.parametrize("seed", SEEDS)
def test_types_are_inferred_and_what_does_not_fit_is_marked(ws: whence.Workspace, seed: int) -> None:
    chance = random.Random(seed)
    makers: dict[str, Callable[[], str | None]] = {
        "whole": lambda: str(chance.randint(-99, 99)),
        "real": lambda: chance.choice(["1.5", "-2", "3e2", ".25"]),
        "day": lambda: f"20{chance.randint(10, 20)}-0{chance.randint(1, 9)}-11",
        "truth": lambda: chance.choice(["true", "False"]),
        "code": lambda: chance.choice(["007", "12", "30"]),
        "word": lambda: chance.choice(["a", "1", "2020-01-01"]),
        "empty": lambda: None,
    }
    odd = {"whole": "x1", "real": "1,5", "day": "2020-13-01", "truth": "yes"}
    table, misfits = [], set()
    for number in range(40):
        row = []
        for name, maker in makers.items():
            is_misfit = name in odd and chance.random() < 0.1
            misfits |= {(number, name)} if is_misfit else set()
            row.append(odd[name] if is_misfit else chance.choice([maker(), maker(), f" {maker() or ''}"]))
        table.append(tuple(row))
    given = ws.create("t", table, schema=", ".join(f"{name} string" for name in makers))
    made = ws.lens("infer_types", given)
    types = {field.name: field.type for field in made.schema}
    assert types == {
        "whole": "bigint", "real": "double", "day": "date", "truth": "boolean", "code": "string", "word": "string",
        "empty": "string",
    }  # fmt: skip
    readers: dict[str, Callable[[str], object]] = {
        "whole": int, "real": float, "day": date.fromisoformat, "truth": lambda text: text.lower() == "true",
    }  # fmt: skip
    for number, (before, after) in enumerate(zip(table, rows(made), strict=True)):
        for name, old, new in zip(makers, before, after, strict=True):
            if name in readers:
                assert old is not None
                assert new == (None if (number, name) in misfits or not old.strip() else readers[name](old.strip()))
            else:
                assert new == old
    assert marks(made) == raised(made) == misfits
    assert each_its_own(made)


def test_the_header_is_found_and_what_was_left_out_might_belong(ws: whence.Workspace) -> None:
    table = [("Prices", None), (None, None), ("part", "price in $"), ("bolt", "1.5"), ("nut", "2"), ("cog", "2")]
    given = ws.create("raw", table, schema="column_1 string, column_2 string")
    found = ws.lens("find_header", given, name="found")
    assert found.columns == ["part", "price in $"]
    assert rows(found) == table[3:]
    assert found.caveats.row_set is True
    assert marks(found) == set()
    (group,) = found.caveats.list()
    assert group.message == "Row 2 of raw@1 looks like a header, so it and what is above are left out."
    assert found.lineage.backward([0], to="raw").ids.tolist() == [3]
    told = ws.lens("find_header", given, name="told", row=2)
    assert rows(told) == rows(found)
    assert told.caveats.row_set is False
    with pytest.raises(UserError, match=r"raw@1 has no row 6\. It has 6 rows"):
        ws.lens("find_header", given, row=6)
    with pytest.raises(UserError, match=r"No row of numbers@1 looks like a header"):
        ws.lens("find_header", ws.create("numbers", [("1",), ("2",)], schema="x string"))
