"""Formulas one by one: what they give, and what they say when they give nothing."""

from __future__ import annotations

from datetime import date

import pytest

import whence
from whence.workspace.sheet import Sheet

ROWS = [("fig", 4, 2.5, date(2024, 1, 31)), ("Kiwi", None, 0.5, date(2024, 2, 29)), ("12", 7, None, None)]
SCHEMA = "name string, n int, x double, day date"

GIVES = [
    ("=B1*1.1", 4.4),
    ("=B1+B3", 11),
    ("=B2+1", None),
    ("=-2^2", 4.0),
    ("=2+3*4^2", 50.0),
    ("=(2+3)*4", 20),
    ("=10%*B1", 0.4),
    ("=7/2", 3.5),
    ("=1<2", True),
    ("=A1=\"FIG\"", True),
    ("=A3+1", 13.0),
    ("=A1&\"-\"&B1", "fig-4"),
    ("=A1&B2", "fig"),
    ("=SUM(B:B)", 11),
    ("=SUM(B1:B2,C1:C2,10)", 17.0),
    ("=AVERAGE(B:B)", 5.5),
    ("=MIN(C:C)&\"/\"&MAX(C:C)", "0.5/2.5"),
    ("=MAX(D:D)", date(2024, 2, 29)),
    ("=COUNT(B:B)*10+COUNTA(A:A)", 23),
    ("=COUNTBLANK(B:C)", 2),
    ("=MEDIAN(B1:B3)", 5.5),
    ("=COUNTIF(B:B,\">4\")", 1),
    ("=COUNTIF(A:A,\"*i*\")", 2),
    ("=SUMIF(A:A,\"fig\",B:B)", 4),
    ("=AVERAGEIF(B:B,\">1\")", 5.5),
    ("=IF(B1>3,\"yes\",\"no\")", "yes"),
    ("=IF(B2>3,1,2)", 2),
    ("=IFERROR(1/0,\"none\")", "none"),
    ("=AND(B1>3,B2>3)", None),
    ("=AND(B1>5,B2>3)", False),
    ("=OR(B1>3,B2>3)", True),
    ("=NOT(B1>3)", False),
    ("=ROUND(2.345,2)", 2.35),
    ("=ROUND(-2.5)", -3.0),
    ("=ROUND(1234,-2)", 1200),
    ("=ABS(-3)+INT(2.9)+MOD(-1,3)", 7),
    ("=SQRT(16)", 4.0),
    ("=LEFT(A2,2)&RIGHT(A2)&MID(A2,2,2)", "Kiiiw"),
    ("=LEN(A2)+FIND(\"w\",A2)", 7),
    ("=UPPER(A1)&LOWER(A2)", "FIGkiwi"),
    ("=TRIM(\"  a   b \")", "a b"),
    ("=SUBSTITUTE(A1,\"i\",\"o\")", "fog"),
    ("=REPT(\"ab\",2)", "abab"),
    ("=YEAR(D1)*100+MONTH(D1)", 202401),
    ("=DAY(D2)", 29),
    ("=WEEKDAY(DATE(2024,2,29))", 5),
    ("=D2-D1", 29),
    ("=D1+1", date(2024, 2, 1)),
    ("=DATE(2023,14,1)", date(2024, 2, 1)),
    ("=ISBLANK(B2)", True),
    ("=ISNUMBER(B1)", True),
    ("=ISTEXT(A1)", True),
    ("=ISERROR(1/0)", True),
    ("=COALESCE(B2,B1)", 4),
    ("=[@n]*2", 8),
    ("=SUM([n])", 11),
    ("=B$3", 7),
    ("=VALUE(\"2.5\")", 2.5),
    ("=EXACT(A1,\"FIG\")", False),
    ("=PRODUCT(B:B)", 28),
]  # fmt: skip

FAILS = [
    ("=AVERAGE(E:E)", "#CYCLE!"),
    ("=E1", "#CYCLE!"),
    ("=1/0", "#DIV/0!"),
    ("=A1*2", "#VALUE!"),
    ("=NOSUCH(1)", "#NAME?"),
    ("=nonsense", "#NAME?"),
    ("=ZZ9", "#REF!"),
    ("=B9", "#REF!"),
    ("=[@nothing]", "#REF!"),
    ("=SQRT(-1)", "#NUM!"),
    ("=9E307*10", "#NUM!"),
    ("=MID(A1,0,2)", "#VALUE!"),
    ("=ROUND()", "#VALUE!"),
    ("=SUM(", "#SYNTAX!"),
    ("=1+", "#SYNTAX!"),
    ("=(1", "#SYNTAX!"),
    ("=A:A", "#VALUE!"),
    ("=3037000500*3037000500", "#NUM!"),
]


def entered(sheet: Sheet, texts: list[str]) -> Sheet:
    """Each in the first row of a column of its own, to the right of the data; the first is in E1."""
    last = "day"
    for number, text in enumerate(texts):
        sheet.insert_column(f"f{number}", after=last).set(0, f"f{number}", text)
        last = f"f{number}"
    return sheet


def test_formulas_give(quiet: whence.Workspace) -> None:
    data = quiet.create("data", ROWS, SCHEMA)
    sheet = entered(quiet.sheet(data), [text for text, _ in GIVES])
    page = sheet.page()
    assert not page.errors
    for number, (text, expected) in enumerate(GIVES):
        found = page.values[f"f{number}"][0]
        assert found == (pytest.approx(expected) if isinstance(expected, float) else expected), text
        assert type(found) is type(expected), text
    assert quiet.sheet(data, sheet.operations).page() == page
    assert sheet.apply("applied").to_arrow().to_pydict() == page.values


def test_formulas_fail(quiet: whence.Workspace) -> None:
    data = quiet.create("data", ROWS, SCHEMA)
    sheet = entered(quiet.sheet(data), [text for text, _ in FAILS])
    page = sheet.page()
    for number, (text, code) in enumerate(FAILS):
        failure = page.errors[0, f"f{number}"]
        assert failure.code == code, (text, failure)
        assert failure.why.endswith(".")
        assert page.values[f"f{number}"][0] is None
    made = sheet.set(1, "f0", "=SUM(").apply("kept")
    (group,) = made.caveats.list(row=1, column="f0")
    assert (group.family, group.references[0].text) == ("sheet error", "=SUM(")
    assert group.message.startswith("#SYNTAX!")


def test_a_bare_name_of_a_column_is_told_how_to_write_it(quiet: whence.Workspace) -> None:
    sheet = entered(quiet.sheet(quiet.create("data", ROWS, SCHEMA)), ["=N*2", "=nonsense"])
    errors = sheet.page().errors
    assert errors[0, "f0"].why == "N is neither a cell nor a function. The value of that column is [@n]."
    assert errors[0, "f1"].why == "nonsense is neither a cell nor a function."


def test_formulas_are_written_as_they_were_typed(quiet: whence.Workspace) -> None:
    sheet = entered(quiet.sheet(quiet.create("data", ROWS, SCHEMA)), [text for text, _ in GIVES])
    shown = sheet.page().formulas
    for number, (text, _) in enumerate(GIVES):
        again = entered(quiet.sheet("data"), [shown[0, f"f{number}"]]).page()
        assert again.formulas[0, "f0"] == shown[0, f"f{number}"], text
        assert again.values["f0"] == sheet.page().values[f"f{number}"], text


def test_formulas_mean_the_same_cells_after_moves_and_renames(quiet: whence.Workspace) -> None:
    data = quiet.create("data", ROWS, SCHEMA)
    sheet = quiet.sheet(data).insert_column("f", after="day").set(0, "f", "=B1+B$3")
    sheet.move_column("n", after="f").rename_column("n", "count").move_row(2, after=None).set(0, "count", 100)
    page = sheet.page()
    assert page.values["f"][1] == 104
    assert page.formulas[1, "f"] == "=E2+E$1"


def test_a_running_total_down_a_long_column(quiet: whence.Workspace) -> None:
    rows = [(number,) for number in range(3_000)]
    sheet = quiet.sheet(quiet.create("long", rows, "n int")).insert_column("total", after="n")
    sheet.set(0, "total", "=A1").set(1, "total", "=B1+A2").fill(1, "total", range(2, 3_000))
    assert sheet.page(2_998, 3_000).values["total"] == [sum(range(2_999)), sum(range(3_000))]
    made = sheet.apply("totals")
    assert {each.row for each in made.lineage.cell(2_999, "total")} == set(range(3_000))
    assert made.lineage.backward([10], to="long").ids.tolist() == list(range(11))


def test_whole_columns_are_computed_as_single_cells_are(quiet: whence.Workspace) -> None:
    """Two thousand rows are enough to be computed at once; a page of them is computed one by one."""
    rows = [(n % 7 - 3, None if n % 11 == 0 else n / 4, ["fig", "kiwi", None][n % 3]) for n in range(2_100)]
    data = quiet.create("many", rows, "n int, x double, t string")
    texts = [
        "=A1*B1+1",
        "=B1/A1",
        "=IF(A1>0,B1,-A1)",
        "=A1*A1",
        "=B2-B1",
        "=ABS(A1)>2",
        "=A1/SUM(A:A)",
        "=UPPER(C1)&A1",
    ]
    texts += [
        "=IF(A1=0,1/0,A1)",
        "=SUM(B$1:B1)",
        "=SUM(A1:A3)",
        "=AVERAGE(B1:B2)",
        "=COUNT(B$5:B1)",
        "=AVERAGE(A$1:A1)",
        "=-A1",
        "=A1%",
        "=IFERROR(B1/A1,0)",
        "=[@x]*2",
    ]
    sheet, last = quiet.sheet(data), "t"
    for number, text in enumerate(texts):
        sheet.insert_column(f"f{number}", after=last).set_column(f"f{number}", text)
        last = f"f{number}"
    applied = sheet.apply("applied")
    kept, marks = applied.to_arrow(), applied.caveats.marks()
    for start in (0, 1_000, 2_060):
        page, shown = sheet.page(start, start + 40), slice(start, start + 40)
        for number, text in enumerate(texts):
            found, meant = kept[f"f{number}"].to_pylist()[shown], page.values[f"f{number}"]
            assert [value is None for value in found] == [value is None for value in meant], text
            filled = [value for value in meant if value is not None]
            assert [value for value in found if value is not None] == pytest.approx(filled), text
            failed = [(start + at, f"f{number}") in page.errors for at in range(40)]
            assert marks[f"f{number}"].to_pylist()[shown] == failed, text
