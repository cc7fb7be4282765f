"""Reports of notebooks: what they show, what they hide, how large they are, and whether their values still hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import whence
from whence.model.errors import BadInput, DamagedFile, UserError
from whence.workspace.report import write
from whence.workspace.report.shown_value import value_hash
from whence.workspace.report.verify import _read_facts

PEOPLE = "name,team,pay\nAda,red,10\nBob,red,x\nCyd,blue,30\nDee,blue,40\n"


@pytest.fixture
def nb(ws: whence.Workspace, tmp_path: Path) -> whence.Notebook:
    (tmp_path / "people.csv").write_text(PEOPLE)
    ws.load(tmp_path / "people.csv", name="people", types={"pay": "int"})
    notebook = ws.notebook("pay")
    notebook.append(
        "markdown", source="# Pay\n\n<script>alert(1)</script> ![logo](https://example.org/x.png) **by team**"
    )
    notebook.append(
        "sql", source="select team, sum(pay) as total from people group by team order by team", name="totals"
    )
    notebook.append("chart", source="totals", chart="bar", x="team", y="total", name="bars")
    return notebook.wait()


def cells_of(facts: dict[str, Any], dataset: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The cells of a table by the text of its first column and by column."""
    (table,) = [each for each in facts["tables"] if each["dataset"] == dataset]
    return {
        (row[0]["text"], name): cell for row in table["cells"] for name, cell in zip(table["columns"], row, strict=True)
    }


def test_every_value_tells_its_caveats_its_way_and_the_lines_behind_it(nb: whence.Notebook, tmp_path: Path) -> None:
    nb.report(tmp_path / "pay.html")
    facts = _read_facts(tmp_path / "pay.html")
    cells = cells_of(facts, "totals")
    red, blue = cells["red", "total"], cells["blue", "total"]
    assert (red["text"], red["doubt"], "doubt" in blue) == ("10", True, False)
    assert any("x" in each for each in red["caveats"])
    assert {each["role"] for each in blue["way"]} == {"aggregated", "grouped"}
    (behind,) = blue["rows"]
    assert (behind["of"], behind["count"]) == ("people@1", 2)
    rows = [facts["sources"]["people@1"]["rows"][str(row)] for row in behind["first"]]
    assert rows == [[4, ["Cyd", "blue", "30"]], [5, ["Dee", "blue", "40"]]]


def test_a_report_ends_with_the_numbers_that_depend_most_on_guesses(ws: whence.Workspace, tmp_path: Path) -> None:
    stated = [(row, "x", "misread", (100 - row, 100 + row)) for row in range(6)]
    ws.create("given", [(row % 2, 100) for row in range(6)], schema="k int, x int", cell_caveats=stated)
    nb = ws.notebook("guesses")
    nb.append("sql", source="select k, sum(x) as total from given group by k order by k", name="sums")
    nb.wait().report(tmp_path / "guesses.html")
    listed = re.findall("<li>(.*?)</li>", (tmp_path / "guesses.html").read_text().split("depend most on guesses")[1])
    assert listed == [
        "total in row 1 of sums@1: 300 (between 291 and 309), 6% of its value wide",
        "total in row 0 of sums@1: 300 (between 294 and 306), 4% of its value wide",
    ]
    sums = cells_of(_read_facts(tmp_path / "guesses.html"), "sums")
    assert [sums[k, "total"]["bounds"] for k in "01"] == ["between 294 and 306", "between 291 and 309"]
    assert not any("bounds" in sums[k, "k"] for k in "01")
    nb.report(tmp_path / "hidden.html", redact=["k"])
    hidden = (tmp_path / "hidden.html").read_text()
    assert "depend most on guesses" not in hidden
    assert "between" not in hidden


def test_the_page_runs_no_script_but_its_own_and_asks_for_nothing(nb: whence.Notebook, tmp_path: Path) -> None:
    nb.report(tmp_path / "pay.html")
    page = (tmp_path / "pay.html").read_text()
    assert "<strong>by team</strong>" in page
    assert "<script>alert" not in page
    assert "data:image/svg+xml;base64," in page
    assert len(re.findall("<script", page)) == 2
    assert set(re.findall(r"(?:src|srcset|poster)=.?(\w+):", page)) == {"data"}
    assert "<link" not in page


def test_hidden_columns_leave_counts_alone(nb: whence.Notebook, tmp_path: Path) -> None:
    nb.report(tmp_path / "pay.html", redact=["name", "people.pay"])
    page = (tmp_path / "pay.html").read_text()
    facts = _read_facts(tmp_path / "pay.html")
    assert not any(name in page for name in ("Ada", "Bob", "Cyd", "Dee"))
    total = cells_of(facts, "totals")["blue", "total"]
    assert (total["text"], total["rows"][0]["count"]) == ("70", 2)
    assert {value for _, row in facts["sources"]["people@1"]["rows"].values() for value in row} == {
        "hidden",
        "red",
        "blue",
    }
    assert "data:image" not in page
    said = cells_of(facts, "totals")["red", "total"]["caveats"]
    assert said == ["1 of load; what they say is hidden"]
    with pytest.raises(UserError, match="no column salary"):
        nb.report(tmp_path / "other.html", redact=["salary"])
    assert not (tmp_path / "other.html").exists()


def test_hidden_values_cannot_be_guessed_from_hashes(ws: whence.Workspace, tmp_path: Path) -> None:
    """Whoever knows all shown values of a row and how whence computes keys must not find the hidden one."""
    ws.create("people", [("Ada", "red", 10), ("Bob", "blue", 20)], schema="name string, team string, pay int")
    notebook = ws.notebook("teams")
    notebook.append("sql", source="select name, team, pay from people", name="copied")
    notebook.append("sql", source="select team, count(*) as n from people group by team", name="counted")
    notebook.wait()
    notebook.report(tmp_path / "hidden.html", redact=["team"])
    page = (tmp_path / "hidden.html").read_text()
    guessed = [key for name in ("people", "copied", "counted") for key in ws[name].row_keys()]
    assert not any(key in page for key in guessed)
    hashes = [value_hash(key, column, value) for key in guessed for column, value in (("team", "red"), ("name", "Ada"))]
    assert not any(each in page for each in hashes)
    assert ws.verify_report(tmp_path / "hidden.html").holds
    notebook.report(tmp_path / "shown.html")
    assert guessed[2] in (tmp_path / "shown.html").read_text()


def test_a_report_that_hides_columns_is_checked_where_it_was_written(
    ws: whence.Workspace, nb: whence.Notebook, tmp_path: Path
) -> None:
    path = tmp_path / "hidden.html"
    nb.report(path, redact=["name"])
    copied = tmp_path / "copied.whence"
    (tmp_path / "people.csv").write_text(PEOPLE.replace("Cyd,blue,30", "Cyd,blue,35"))
    ws.load(tmp_path / "people.csv", name="people", types={"pay": "int"})
    nb.run()
    nb.wait()
    assert {(each.reported, each.now) for each in ws.verify_report(path).failures} == {("70", "75")}
    with whence.open(copied) as other, pytest.raises(BadInput, match="another workspace wrote it"):
        other.verify_report(path)
    (ws.path / "report.secret").write_text("no secret")
    with pytest.raises(DamagedFile, match=r"report\.secret cannot be read"):
        ws.verify_report(path)


def test_words_of_caveats_that_may_quote_hidden_values_are_hidden(ws: whence.Workspace, tmp_path: Path) -> None:
    """A caveat on one column, or on a whole row, may quote another column of its row, and so may one above it."""
    ws.create("paid", [("Ada", 10), ("Bob", 20)], schema="name string, pay int")
    ws.create("towns", [("Lima", 1)], schema="town string, n int", cell_caveats=[(0, "n", "Lima was counted twice")])
    notebook = ws.notebook("quotes")
    quoted = "select pay, caveat_if(pay * 2, true, concat(name, ' was paid twice')) as twice from paid"
    notebook.append("sql", source=quoted, name="doubled")
    notebook.append(
        "sql", source="select caveat_if(twice, twice > 30, concat('over ', twice)) as t from doubled", name="on"
    )
    notebook.append("expect", source="paid", row=[{"condition": "pay > 15"}], name="checked")
    notebook.append("sql", source="select town, n from towns", name="shown")
    notebook.wait()
    assert [each.status for each in notebook.cells] == ["ready"] * 4
    notebook.report(tmp_path / "hidden.html", redact=["name", "paid.pay"])
    page = (tmp_path / "hidden.html").read_text()
    assert not any(each in page for each in ("Ada", "Bob", "over 40", "pay = 10"))
    assert "Lima was counted twice" in page
    notebook.report(tmp_path / "shown.html")
    assert "Bob was paid twice" in (tmp_path / "shown.html").read_text()


def test_a_report_says_later_which_values_still_hold(ws: whence.Workspace, nb: whence.Notebook, tmp_path: Path) -> None:
    path = tmp_path / "pay.html"
    nb.insert(1, "sql", source="select name, pay from people", name="everyone")
    nb.wait().report(path)
    assert ws.verify_report(path).holds
    (tmp_path / "people.csv").write_text(PEOPLE.replace("Cyd,blue,30", "Cyd,blue,35").replace("Bob,red,x", "Bob,red,5"))
    ws.load(tmp_path / "people.csv", name="people", types={"pay": "int"})
    nb.run()
    nb.wait()
    failures = ws.verify_report(path).failures
    assert {(each.column, each.reported, each.now) for each in failures if each.dataset == "totals"} == {
        ("total", "70", "75"),
        ("total", "10", "15"),
    }
    assert [each.verdict for each in failures] == ["changed"] * 4 + ["gone"] * 4  # the rows of Bob and Cyd
    ws.forget("totals", also_dependants=True)
    assert {each.verdict for each in ws.verify_report(path).values if each.dataset == "totals"} == {"gone"}


def test_a_value_altered_in_the_file_is_found(ws: whence.Workspace, nb: whence.Notebook, tmp_path: Path) -> None:
    path = tmp_path / "pay.html"
    nb.report(path)
    path.write_text(path.read_text().replace('"text":"70"', '"text":"90"'))
    assert {(each.reported, each.verdict) for each in ws.verify_report(path).failures} == {("90", "altered")}
    path.write_text("<html></html>")
    with pytest.raises(BadInput, match="no report of whence"):
        ws.verify_report(path)


def test_a_large_notebook_is_cut_to_what_can_be_sent(
    ws: whence.Workspace, nb: whence.Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nb.append("sql", source="select id, repeat('w', 300) as text from range(200)", name="wide")
    nb.wait()
    nb.report(tmp_path / "whole.html")
    size = (tmp_path / "whole.html").stat().st_size
    monkeypatch.setattr(write, "MOST_BYTES", size - 1)
    nb.report(tmp_path / "cut.html")
    assert (tmp_path / "cut.html").stat().st_size < size
    tables = {each["dataset"]: each for each in _read_facts(tmp_path / "cut.html")["tables"]}
    assert (tables["wide"]["count"], len(tables["wide"]["keys"])) == (200, 20)
    monkeypatch.setattr(write, "MOST_BYTES", 1_000)
    with pytest.raises(UserError, match="larger than"):
        nb.report(tmp_path / "none.html")
    assert not (tmp_path / "none.html").exists()


def test_facts_cannot_end_the_script_they_are_in(ws: whence.Workspace, tmp_path: Path) -> None:
    notebook = ws.notebook("odd")
    ws.create("odd_rows", [("</script><script>alert(2)</script>",)], schema="t string")
    notebook.append("sql", source="select t, upper(t) as u from odd_rows", name="odd_result")
    notebook.wait().report(tmp_path / "odd.html")
    page = (tmp_path / "odd.html").read_text()
    assert "<script>alert" not in page
    assert json.dumps("</script><script>alert(2)</script>")[1:-1] in json.dumps(_read_facts(tmp_path / "odd.html"))


def test_a_plotly_figure_is_left_out_with_a_sentence(ws: whence.Workspace, tmp_path: Path) -> None:
    notebook = ws.notebook("figures")
    forms = {"application/vnd.plotly.v1+json": {"data": []}, "text/plain": "Figure({})"}
    notebook.append("python", source=f"class F:\n    def _repr_mimebundle_(self, **_):\n        return {forms}\nF()")
    notebook.wait().report(tmp_path / "figures.html")
    page = (tmp_path / "figures.html").read_text()
    assert "A Plotly figure is left out" in page
    assert "<pre>Figure({})" not in page
