"""What holds for every lens: little tables, doubts of the input, bad parameters, what it says of itself."""

from __future__ import annotations

import pytest

import whence
from tests.transformations.looks import each_its_own, marks, origins, rows
from whence.model.errors import UnknownColumn, UserError
from whence.transformations.vocabulary.registry import TRANSFORMATIONS

SCHEMA = "`k.ey` int, `it's` string, `x✨` double, other string"
CALLS: dict[str, dict[str, object]] = {
    "infer_types": {},
    "parse_numbers": {"column": "it's"},
    "parse_dates": {"column": "it's"},
    "trim": {},
    "change_case": {"to": "title"},
    "replace": {"columns": "it's", "pattern": "a", "assuming": "b"},
    "standardise": {"column": "it's"},
    "impute": {"column": "x✨", "method": "constant", "value": 1.5},
    "split_column": {"column": "it's", "separator": " "},
    "merge_columns": {"columns": ["it's", "other"]},
    "pivot": {"keys": ["k.ey"], "column": "other", "value": "x✨"},
    "repair_key": {"column": "k.ey"},
    "repair_sequence": {"column": "k.ey"},
    "drop_duplicates": {"columns": ["k.ey"]},
    "flag_outliers": {"column": "x✨"},
    "watch_shape": {},
    "comment": {"column": "it's", "text": "hm"},
}
IN_PLACE = sorted(CALLS.keys() - {"pivot", "repair_key", "repair_sequence", "drop_duplicates"})
"""These give a row for each row."""
GUESSED = {"parse_dates": (0, 1, 2), "replace": (0,), "merge_columns": (0, 1), "comment": (0, 1, 2)}
"""The rows of the table below in which a lens guesses about `it's`."""


def test_every_transformation_that_cleans_but_one_is_called_here() -> None:
    cleaning = {each.name for each in TRANSFORMATIONS.values() if each.group == "Clean" or each.guesses != "nothing"}
    assert CALLS.keys() == cleaning - {"find_header"}  # which needs a row


def test_a_row_without_values_is_no_trouble(ws: whence.Workspace) -> None:
    lonely = ws.create("lonely", [(None, None, None, None)], schema=SCHEMA)
    for lens, parameters in CALLS.items():
        alone = ws.lens(lens, lonely, name=f"lonely {lens}", **parameters)
        guessed = {"impute": {(0, "x✨")}, "comment": {(0, "it's")}}.get(lens, set())
        assert (alone.count, marks(alone), origins(alone)) == (1, guessed, [[0]]), lens


@pytest.mark.long
def test_a_table_without_rows_is_no_trouble(ws: whence.Workspace) -> None:
    empty = ws.create("empty", [], schema=SCHEMA)
    for lens, parameters in CALLS.items():
        made = ws.lens(lens, empty, name=f"empty {lens}", **parameters)
        assert (made.count, marks(made), made.lineage.exact) == (0, set(), True), lens
    with pytest.raises(UserError, match=r"empty@1 gives no value to fill x✨ with\. Use method constant"):
        ws.lens("impute", empty, column="x✨")


def test_doubts_of_the_input_stay_where_they_are(ws: whence.Workspace) -> None:
    table = [(1, "a 1", 1.0, "x"), (2, "b 2", 2.0, "x"), (3, "c 3", 2.5, None)]
    doubts = [(0, "it's", "smudged"), (1, "x✨", "smudged")]
    doubtful = ws.create("doubtful", table, schema=SCHEMA, cell_caveats=doubts, row_caveats=[(2, "perhaps")])
    for lens in IN_PLACE:
        made = ws.lens(lens, doubtful, name="after", **CALLS[lens])
        derived = {name for name in made.columns if name.startswith("it's")}
        guessed = {(row, "it's") for row in GUESSED.get(lens, ())}
        assert marks(made) == guessed | {(0, name) for name in derived} | {(1, "x✨"), (2, "_row")}, lens
        assert each_its_own(made), lens


def test_bad_parameters_are_refused_in_one_sentence(ws: whence.Workspace) -> None:
    given = ws.create("t", [(1, "a", 1.0, "b")], schema=SCHEMA)
    for lens, sentence, parameters in (
        ("impute", r"t@1 has no column x✨✨\. Did you mean x✨\?", {"column": "x✨✨"}),
        ("impute", r"impute needs column: the column to fill\.", {}),
        ("impute", r"impute does not know the method meen\. Did you mean mean\?", {"column": "x✨", "method": "meen"}),
        ("impute", r"it's holds string, which has no mean\.", {"column": "it's", "method": "mean"}),
        ("impute", r"abc is no value of x✨", {"column": "x✨", "method": "constant", "value": "abc"}),
        ("impute", r"impute has no parameter colum\. Did you mean column\?", {"colum": "x✨"}),
        ("impute", r"impute takes the name of a column as column, not int 7\.", {"column": 7}),
        ("trim", r"x✨ holds double, not text", {"columns": ["x✨"]}),
        ("trim", r"trim takes a list as columns, not int 3\.", {"columns": 3}),
        ("trim", r"trim takes true or false as inside, not str 'maybe'", {"inside": "maybe"}),
        ("flag_outliers", r"takes a number as threshold, not str 'far'", {"column": "x✨", "threshold": "far"}),
        ("flag_outliers", r"A threshold of -1 would make every value", {"column": "x✨", "threshold": -1}),
        ("standardise", r"takes names with values as rename, not list", {"column": "it's", "rename": ["a"]}),
        ("split_column", r"t@1 already has a column other", {"column": "it's", "separator": ",", "into": ["other"]}),
        ("split_column", r"takes a text as separator, not int 1", {"column": "it's", "separator": 1}),
        ("merge_columns", r"merge_columns needs two or more columns", {"columns": ["other"]}),
        ("pivot", r"pivot cannot use one column both as index", {"keys": ["other"], "column": "other", "value": "x✨"}),
        ("repair_sequence", r"it's holds string, which has no steps", {"column": "it's"}),
        ("replace", r"replace needs values, or a pattern", {"values": {"a": "b"}, "pattern": "c"}),
        ("replace", r"replace needs values, or a pattern", {"columns": ["other"]}),
        ("sample", r"sample takes no rows below 0, so not -1\. It is instead, how many rows", {"rows": -1}),
        ("sample", r"sample takes a whole number as rows, not float 2\.5", {"rows": 2.5}),
        ("comment", r"There is no column nope", {"where": "nope = 1", "text": "x"}),
        ("standardize", r"There is no lens standardize\. Did you mean standardise\?", {}),
    ):
        with pytest.raises((UserError, UnknownColumn), match=sentence):
            ws.lens(lens, given, name="never", **parameters)
    assert [dataset.name for dataset in ws.datasets()] == ["t"]


def test_names_of_lenses_may_be_written_as_words(ws: whence.Workspace) -> None:
    given = ws.create("t", [(1,), (1,)], schema="x int")
    assert rows(ws.lens("Drop duplicates", given)) == [(1,)]


def test_every_lens_says_what_it_does_and_takes(ws: whence.Workspace) -> None:
    described = {each.name: each for each in ws.lenses()}
    assert described.keys() == TRANSFORMATIONS.keys() - {"apply"}
    for each in described.values():
        assert each.does.endswith(".")
        assert all(parameter.label for parameter in each.parameters)
        assert f"{each.name}: {each.title}." in str(each)


def test_a_lens_cell_checks_the_parameters_of_its_lens_before_it_runs(ws: whence.Workspace) -> None:
    ws.create("t", [(1,)], schema="x int")
    with pytest.raises(UserError, match="An impute cell needs column"):
        ws.run_cell("impute", source="t", name="u")


def test_lenses_are_suggested_for_what_is_seen(ws: whence.Workspace) -> None:
    table = [
        (n, f"{n} USD", ["acme, inc", "Acme Inc"][n % 2], None if n == 5 else float(n % 7), f"{n}/1/2020", f" {n}")
        for n in range(30)
    ]
    table[7] = (7, "7 USD", "Acme Inc", 1e6, "7/1/2020", " 7")
    given = ws.create("t", [*table, table[0]], schema="n int, price string, who string, x double, d string, s string")
    found = {(each.lens, each.parameters.get("column")) for each in ws.suggest_lenses(given)}
    assert found >= {
        ("drop_duplicates", None), ("parse_numbers", "price"), ("standardise", "who"), ("impute", "x"),
        ("flag_outliers", "x"), ("parse_dates", "d"), ("trim", None), ("infer_types", None),
    }  # fmt: skip
    for each in ws.suggest_lenses(given):
        assert each.why.endswith(".")
        ws.lens(each.lens, given, name=each.lens, **each.parameters)
    raw = ws.create("raw", [("part", "price"), ("bolt", "1"), ("nut", "2")], schema="column_1 string, column_2 string")
    assert [each.lens for each in ws.suggest_lenses(raw)] == ["find_header"]
    assert ws.suggest_lenses(ws.create("nothing", [], schema="x int")) == []
