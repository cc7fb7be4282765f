"""What a dataset shows of itself at a prompt and in Jupyter."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

import whence


@pytest.fixture
def mixed(ws: whence.Workspace) -> whence.Dataset:
    rows = [("a", 1.0, date(2020, 1, 1)), ("<b>", 3.0, date(2020, 1, 3)), ("a", None, date(2020, 1, 2))]
    return ws.create(
        "mixed",
        rows,
        schema="k string, x double, d date",
        cell_caveats=[(1, "k", 'is it "b" & <c>?')],
        row_caveats=[(2, "lost")],
    )


def test_head_is_the_first_rows_in_pandas(mixed: whence.Dataset) -> None:
    pd.testing.assert_frame_equal(mixed.head(2), mixed.to_pandas().head(2))
    assert len(mixed.head()) == 3
    assert mixed.shape == (3, 3)


def test_describe_agrees_with_pandas(ws: whence.Workspace) -> None:
    rows = [(n, n / 4, "ab"[n % 3 == 0]) for n in range(101)]
    numbers = ws.create("numbers", rows, schema="n int, q double, w string")
    expected = numbers.to_pandas().describe(include="all")
    pd.testing.assert_frame_equal(numbers.describe(), expected, check_dtype=False)


def test_describe_counts_values_that_are_there(mixed: whence.Dataset) -> None:
    told = mixed.describe()
    assert list(told.loc["count"]) == [3, 2, 3]
    assert told.loc["max", "d"] == date(2020, 1, 3)
    assert (told.loc["top", "k"], told.loc["freq", "k"], told.loc["unique", "k"]) == ("a", 2, 2)
    assert pd.isna(told.loc["mean", "k"])


def test_the_page_of_a_dataset_shows_doubt_in_red_with_the_reason(mixed: whence.Dataset) -> None:
    page = mixed._repr_html_()
    assert '<td style="color: #c00" title="is it &quot;b&quot; &amp; &lt;c&gt;?">&lt;b&gt;</td>' in page
    assert '<th style="color: #c00" title="lost">2</th>' in page
    assert page.count("#c00") == 2
    assert "mixed@1: 3 rows x 3 columns, 1 doubtful column" in page
    assert "<b>" not in page


def test_the_page_of_a_dataset_underlines_what_was_never_data(ws: whence.Workspace, tmp_path: Path) -> None:
    padded = ws.sql("select 'a' as k,\n 142050 as n", name="padded")
    page = padded._repr_html_()
    assert 'title="written in the query, line 2">142050</td>' in page
    assert page.count("underline dotted") == 2
    assert "#c00" not in page
    for name in ("r.html", "r.md"):
        padded.caveats.report(tmp_path / name)
        report = (tmp_path / name).read_text()
        assert "What was never data" in report
        assert "1 of 1 value of n is written in the query, not data." in report


def test_the_page_of_a_long_dataset_shows_its_first_rows(ws: whence.Workspace) -> None:
    long = ws.create("long", [("x" * 1000, n) for n in range(1000)], schema="w string, n int")
    page = long._repr_html_()
    assert page.count("<tr>") == 11
    assert "x" * 200 not in page
    assert not ws.create("none", [], schema="n int")._repr_html_().count("<td")


def test_handles_are_short_at_a_prompt(ws: whence.Workspace, mixed: whence.Dataset) -> None:
    totals = ws.sql("select k, count(*) n from mixed group by k order by k", name="totals")
    assert repr(mixed) == "<Dataset mixed@1: 3 rows x 3 columns, 1 doubtful column, doubtful rows>"
    assert repr(ws.sql("select 1 as one", name="one")) == "<Dataset one@1: 1 row x 1 column>"
    assert repr(totals.lineage.backward(0, to="mixed")) == "<Rows of mixed@1: 1 of 3 rows>"
    assert repr(totals.lineage) == "<Lineage of totals@1, from mixed@1>"
    assert repr(mixed.lineage) == "<Lineage of mixed@1, from no dataset>"
    assert repr(mixed.caveats) == "<Caveats of mixed@1>"
    assert repr(ws) == "<Workspace test.whence: 3 datasets, 0 notebooks>"
    assert repr(ws.notebook("tour")) == "<Notebook tour: 0 cells, branch main, version 0>"
    assert repr(ws) == "<Workspace test.whence: 3 datasets, 1 notebook>"
    assert repr(mixed.chart({"aes": {"x": "k"}}, name="bars")) == "<Chart bars of mixed@1: 1 layer>"
    assert repr(whence.Pipeline(mixed, name="ready").select(["k"])) == "<Pipeline ready: 1 step over mixed@1>"


def test_a_closed_workspace_can_still_be_printed(ws: whence.Workspace, mixed: whence.Dataset) -> None:
    ws.close()
    assert repr(mixed).startswith("<Dataset mixed@1: 3 rows x 3 columns")
    assert repr(ws).startswith("<Workspace test.whence")
