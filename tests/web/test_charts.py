"""Charts in a real browser: shelves and marks, brushes over linked charts, and the visual explainer on study tasks."""

from __future__ import annotations

import json
import os
import random
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import ROOT, faults, inspector, watched_page
from tests.web.servers import Served

BY_DAY = {"aes": {"x": "day", "y": "amt"}, "stat": "sum", "geom": "bar"}
BY_STATE = {"aes": {"x": "state", "y": "amt", "color": "gender"}, "stat": "sum", "geom": "bar"}
BY_GENDER = {**BY_DAY, "facet": {"x": "gender"}}
BOXES = {"aes": {"x": "gender", "y": "amt"}, "geom": {"type": "box", "outliers": False}}
HUMIDITY = {"aes": {"x": {"sql": "reading div 200"}, "y": "humidity"}, "stat": "stddev", "geom": "bar"}
REAL = Path(__file__).parent / "real"
STATES = ("CA", "FL", "MA", "MI", "NY", "TX", "WA")
HIGH, DAYS = ("CA", "MI"), range(5, 10)


def _sold() -> list[tuple[int, str, str, str, float]]:
    """Ten days of sales by state, after the first task of the DBWipes study: CA and MI sell far more from day 5 on."""
    chance = random.Random(7)
    rows = []
    for day in range(10):
        for state in STATES:
            for _ in range(40 if state in HIGH and day in DAYS else 12):
                age, gender = chance.choice(["<18", "18-30", "30-50", ">60"]), chance.choice(["F", "M"])
                rows.append((day, state, age, gender, round(chance.gauss(10, 1), 2)))
    return rows


SOLD = _sold()
HUGE = (70, 170, 270)


def _strikes() -> list[tuple[object, ...]]:
    """Costs of 900 bird strikes: three of one phase cost a hundred times as much; the claim repeats the cost."""
    chance = random.Random(3)
    rows: list[tuple[object, ...]] = []
    for number in range(900):
        cost = round(chance.gauss(100, 5), 2) * (100 if number in HUGE else 1)
        phase = "climb" if number in HUGE else chance.choice(["climb", "approach", "taxi"])
        rows.append((phase, chance.choice(["gull", "goose", "hawk"]), cost, round(cost * 1.1 + 3, 2)))
    return rows


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sales with two charts of them, and a chart of something else."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    place = tmp_path_factory.mktemp("charts") / "study.whence"
    with whence.open(place) as ws:
        pets = ws.create("pets", [("cat",), ("dog",), ("cat",)], schema="kind string")
        sold = ws.create("sold", SOLD, schema="day int, state string, age string, gender string, amt double")
        made = [sold.chart(BY_DAY, name="by_day"), sold.chart(BY_STATE, name="by_state")]
        made.append(pets.chart({"aes": {"x": "kind"}}, name="pets_by_kind"))
        made += [sold.chart(BY_GENDER, name="by_gender"), sold.chart(BOXES, name="boxes")]
        strikes = ws.create("strikes", _strikes(), schema="phase string, bird string, cost double, claim double")
        made.append(strikes.chart({"aes": {"x": "phase", "y": "cost"}, "stat": "mean", "geom": "bar"}, name="by_phase"))
        assert [chart.marks.count for chart in made] == [10, 14, 2, 20, 2, 3]
        studied = {name: ws.load(REAL / f"{name}.csv.gz", name=name) for name in ("hard1", "hard2", "sensors")}
        asked = [studied["hard1"].chart(BY_DAY, name="t1"), studied["hard2"].chart(BY_DAY, name="t2")]
        asked.append(studied["hard2"].chart({**BY_DAY, "stat": "mean"}, name="t3"))
        asked.append(studied["sensors"].chart(HUMIDITY, name="humidity"))
        assert [chart.marks.count for chart in asked] == [task.marks for task in TASKS]
        ws.notebook("study").append("markdown", source="# Sales")
    return place


def chart(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=re.compile(f"^Chart (of )?{name}"))


def bars(page: Page, name: str) -> Locator:
    return chart(page, name).locator('svg [aria-roledescription="bar"]')


def shelf(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Shelves").get_by_role("combobox", name=name, exact=True)


def brush(page: Page, first: Locator, last: Locator) -> None:
    """Drag from the left edge of one mark to the right edge of another."""
    start, end = first.bounding_box(), last.bounding_box()
    assert start is not None
    assert end is not None
    at = end["y"] + end["height"] - 3
    page.mouse.move(start["x"] + 3, at)
    page.mouse.down()
    page.mouse.move((start["x"] + end["x"]) / 2, at, steps=4)
    page.mouse.move(end["x"] + end["width"] - 3, at, steps=4)
    page.mouse.up()


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The page, signed in; a specification that is refused is the only thing it may complain about."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        yield watched.page
        assert [each for each in watched.complaints if "400 (Bad Request)" not in each] == []


@pytest.fixture
def dark(browser: Browser, served: Served) -> Iterator[Page]:
    """The same page in dark."""
    with watched_page(browser, "dark") as watched:
        watched.page.goto(served.link)
        yield watched.page
        assert watched.complaints == []


def test_a_chart_is_built_on_shelves_walked_and_saved(page: Page, served: Served, dark: Page) -> None:
    page.goto(f"{served.address}/?view=chart&dataset=sold")
    suggestions = page.get_by_role("region", name="Suggestions").get_by_role("button")
    expect(suggestions).to_have_count(3)
    suggestions.first.click()
    expect(chart(page, "sold").locator("svg.marks")).to_be_visible(timeout=150_000)  # Spark starts first
    expect(suggestions.first).to_have_attribute("aria-pressed", "true")

    text = page.get_by_role("textbox", name="Specification")
    text.fill(json.dumps({"aes": {"x": "state"}}))
    expect(bars(page, "sold")).to_have_count(len(STATES), timeout=60_000)
    expect(shelf(page, "X")).to_have_value("state")
    shelf(page, "Y").select_option("amt")
    shelf(page, "Aggregate").select_option("sum")
    shelf(page, "Mark").select_option("bar")
    expect(text).to_have_value(re.compile('"stat": "sum"'))
    expect(bars(page, "sold").first).to_have_attribute("aria-label", re.compile("sum of amt"), timeout=60_000)

    text.fill('{"aes": {"x": "sate"}}')
    expect(page.get_by_role("alert")).to_contain_text("sate")
    expect(bars(page, "sold").first).to_be_visible()  # the last good picture
    text.fill(json.dumps({"aes": {"x": "state", "y": "amt"}, "stat": "sum", "geom": "bar"}))
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(bars(page, "sold")).to_have_count(len(STATES))

    bars(page, "sold").nth(3).click()
    expect(inspector(page).get_by_role("heading", name="Sum of amt, MI")).to_be_visible()
    rows = sum(row[1] == "MI" for row in SOLD)
    expect(inspector(page)).to_contain_text("sold")
    expect(page.get_by_text(f"1 mark selected, {rows} rows behind it")).to_be_visible()
    chart(page, "sold").press("ArrowRight")
    expect(page.get_by_text("Mark 5 of 7: state NY")).to_be_attached()
    page.get_by_role("button", name="Table", exact=True).click()
    expect(page.get_by_role("grid", name="Marks of sold")).to_contain_text("MI")
    assert faults(page) == []
    dark.goto(page.url)
    expect(bars(dark, "sold")).to_have_count(len(STATES))
    assert faults(dark) == []
    weighed = {"text": "Reads 2 columns of 1,000,000,000 rows.", "is_large": True}
    dark.route("**/charts/cost", lambda route: route.fulfill(json=weighed))
    dark.reload()
    expect(dark.get_by_text("Reads 2 columns of 1,000,000,000 rows.")).to_be_visible()
    expect(bars(dark, "sold")).to_have_count(0)
    dark.get_by_role("button", name="Draw it", exact=True).click()
    expect(bars(dark, "sold")).to_have_count(len(STATES))

    # What was drawn so far is listed nowhere; what is kept is.
    kept = page.get_by_role("link", name=re.compile("^sales_of_states"))
    expect(page.get_by_role("link", name=re.compile("^sold_chart"))).to_have_count(0)
    page.get_by_role("button", name="Save chart…", exact=True).click()
    naming = page.get_by_role("dialog", name="Save chart")
    naming.get_by_label("Name of the chart").fill("sales_of_states")
    naming.get_by_role("button", name="Save chart", exact=True).click()
    expect(kept).to_be_visible(timeout=60_000)

    page.get_by_role("button", name="Add to a notebook…").click()
    dialog = page.get_by_role("dialog", name="Add the chart to a notebook")
    dialog.get_by_label("Name of the result").fill("sales_by_state")
    dialog.get_by_role("button", name="Add the cell").click()
    page.wait_for_url(re.compile("notebook=study"))
    cell = page.locator("section[aria-label$=', chart']")
    expect(cell.locator("svg.marks")).to_be_visible(timeout=60_000)
    cell.get_by_role("link", name="Change the chart").click()
    expect(shelf(page, "Aggregate")).to_have_value("sum")
    expect(bars(page, "sold")).to_have_count(len(STATES), timeout=60_000)
    bars(page, "sold").nth(3).click()
    page.get_by_role("button", name=f"Open {rows} rows as a sheet").click()
    page.wait_for_url(re.compile("dataset=sold_rows&view=sheet|view=sheet&dataset=sold_rows"))
    expect(page.get_by_role("grid").first).to_contain_text("MI", timeout=60_000)


def test_brushes_select_in_every_chart_that_shares_rows(page: Page, served: Served, dark: Page) -> None:
    names = json.dumps(["by_day", "by_state", "pets_by_kind"])
    page.goto(f"{served.address}/?view=canvas&charts={names}")
    expect(bars(page, "by_day")).to_have_count(10, timeout=150_000)
    expect(bars(page, "by_state")).to_have_count(14)
    brush(page, bars(page, "by_day").nth(5), bars(page, "by_day").nth(9))
    chips = page.get_by_role("status", name="Brushes")
    expect(chips.get_by_role("button", name=re.compile("^by_day: 5 marks ?, clear"))).to_be_visible()
    late = sum(row[4] for row in SOLD if row[0] in DAYS and row[1] == "CA" and row[3] == "F")
    selected = bars(page, "by_state").first
    expect(selected).to_have_attribute("aria-label", re.compile(re.escape(f"sum of amt: {late:,.6g}")))
    told = page.get_by_role("list", name="Charts that do not follow")
    expect(told).to_contain_text("by_day and pets_by_kind share no source rows")

    page.get_by_role("group", name="Legend of by_state").get_by_role("button", name="M", exact=True).click()
    expect(chips.get_by_role("button", name=re.compile("^by_state: 7 marks ?, clear"))).to_be_visible()
    first = sum(row[4] for row in SOLD if row[0] == 5 and row[3] == "M")
    expect(bars(page, "by_day").first).to_have_attribute("aria-label", re.compile(re.escape(f"{first:,.6g}")))
    assert faults(page) == []

    chart(page, "by_state").press("Escape")
    expect(chips.get_by_role("button", name=re.compile("^by_state: 7 marks ?, clear"))).to_have_count(0)
    chart(page, "by_day").press("Shift+Escape")
    expect(chips).to_contain_text("Drag over a chart")
    chart(page, "by_day").press("ArrowRight")
    chart(page, "by_day").press(" ")
    expect(chips.get_by_role("button", name=re.compile("^by_day: 1 mark ?, clear"))).to_be_visible()
    page.get_by_role("group", name="Charts to look at together").get_by_role(
        "checkbox", name="by_state", exact=True
    ).uncheck()
    expect(page.get_by_role("region", name="by_state")).to_have_count(0)

    dark.goto(f"{served.address}/?view=canvas&charts={json.dumps(['by_gender', 'boxes'])}")
    expect(bars(dark, "by_gender")).to_have_count(20, timeout=60_000)
    # A drag that begins in the panel of F stays there, however far it goes.
    brush(dark, bars(dark, "by_gender").nth(7), bars(dark, "by_gender").nth(12))
    chips = dark.get_by_role("status", name="Brushes")
    expect(chips.get_by_role("button", name=re.compile("^by_gender: 3 marks ?, clear"))).to_be_visible()
    amounts = [row[4] for row in SOLD if row[0] >= 7 and row[3] == "F"]
    expect(bars(dark, "boxes")).to_have_count(1)  # nothing is left of M
    quartiles = statistics.quantiles(amounts, n=4, method="inclusive")
    ends = re.compile(re.escape(f"q1: {quartiles[0]:.6g}") + ".*" + re.escape(f"q3: {quartiles[2]:.6g}"))
    expect(bars(dark, "boxes")).to_have_attribute("aria-label", ends)
    assert faults(dark) == []


def test_a_few_rows_are_an_answer_and_a_column_that_repeats_the_measure_is_none(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?view=explain&chart=by_phase")
    climb = bars(page, "by_phase").and_(page.locator('[aria-label*="climb"]'))
    expect(climb).to_be_visible(timeout=150_000)
    columns = page.get_by_role("region", name="Columns that may explain")
    expect(columns.get_by_role("checkbox", name="bird", exact=True)).to_be_checked()
    expect(columns.get_by_role("checkbox", name="claim", exact=True)).not_to_be_checked()
    expect(columns.get_by_text(re.compile("^it follows cost almost exactly"))).to_be_visible()
    climb.click()
    page.get_by_role("button", name="Search", exact=True).click()
    few = page.get_by_role("region", name="Single rows")
    expect(few.get_by_role("heading", name="3 single rows")).to_be_visible(timeout=60_000)
    assert few.get_by_role("link").all_inner_texts() == [f"row {row + 1:,}" for row in HUGE]
    few.get_by_role("link").first.click()
    expect(page.get_by_role("gridcell", name="climb").first).to_be_visible()


def test_the_study_task_is_answered_previewed_and_made_permanent(page: Page, served: Served, dark: Page) -> None:
    page.goto(f"{served.address}/?view=explain&chart=by_day")
    expect(bars(page, "by_day")).to_have_count(10, timeout=150_000)
    search = page.get_by_role("button", name="Search", exact=True)
    expect(search).to_be_disabled()
    expect(page.get_by_text("Pick at least one mark that looks odd.")).to_be_visible()
    brush(page, bars(page, "by_day").nth(5), bars(page, "by_day").nth(9))
    expect(page.get_by_role("button", name="Odd (5)")).to_be_visible()
    chart(page, "by_day").press("Home")
    chart(page, "by_day").press("n")
    expect(page.get_by_role("button", name="Fine (1)")).to_be_visible()
    page.get_by_role("button", name="Clear", exact=True).click()
    brush(page, bars(page, "by_day").nth(5), bars(page, "by_day").nth(9))
    page.get_by_label("gender", exact=True).uncheck()
    search.click()
    answers = page.get_by_role("region", name="Answers")
    expect(answers.get_by_role("heading", name="Answers")).to_be_visible(timeout=60_000)
    best = answers.get_by_role("button", name=re.compile("^state is CA or MI (?!and )"))
    expect(best).to_be_visible()
    left = [sum(row[4] for row in SOLD if row[0] == day and row[1] not in HIGH) for day in range(10)]
    best.hover()
    expect(bars(page, "by_day").nth(5)).to_have_attribute("aria-label", re.compile(re.escape(f"{left[5]:,.6g}")))
    page.mouse.move(5, 5)
    best.click()
    expect(best).to_have_attribute("aria-pressed", "true")
    gone = sum(row[1] in HIGH for row in SOLD)
    expect(page.get_by_text(f"Without rows where state is CA or MI: {gone} rows")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^state CA"))).to_have_attribute("aria-pressed", "true")
    assert faults(page) == []

    other = answers.get_by_role("button", name=re.compile("^Compare with ")).first
    phrase = (other.get_attribute("aria-label") or "").removeprefix("Compare with ")
    other.focus()
    other.press("Enter")
    compared = page.get_by_role("region", name="Two answers side by side")
    sides = [compared.get_by_role("region", name=f"Answer {side}", exact=True) for side in "AB"]
    expect(sides[0]).to_contain_text("state is CA or MI")
    expect(sides[0]).to_contain_text(f"{gone} rows removed")
    expect(sides[1]).to_contain_text(phrase)
    taken = [
        side.get_by_role("group", name=re.compile("^Chart by_day, without")).locator('[aria-roledescription="bar"]')
        for side in sides
    ]
    expect(taken[0].nth(5)).to_have_attribute("aria-label", re.compile(re.escape(f"{left[5]:,.6g}")))
    expect(compared.get_by_role("status")).to_contain_text(re.compile("rows? in common|takes|take the same"))
    numbers = compared.get_by_role("table", name="What the two answers do").get_by_role("row")
    expect(numbers.nth(1)).to_contain_text(f"{left[5]:,.5g}")
    expect(numbers).to_have_count(8)  # a heading, five odd marks, and two means
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(compared).to_have_count(0)
    expect(best).to_have_attribute("aria-pressed", "true")

    page.get_by_role("button", name="Make permanent…").click()
    dialog = page.get_by_role("dialog", name="Make it permanent")
    dialog.get_by_role("button", name="Add the cell").click()
    page.wait_for_url(re.compile("notebook=study"))
    cell = page.locator("section[aria-label$=', filter']")
    expect(cell).to_contain_text(f"{len(SOLD) - gone:,} rows", timeout=60_000)

    dark.goto(f"{served.address}/?view=explain&chart=by_day")
    dark.get_by_label("not what I expect").check()
    bars(dark, "by_day").nth(7).click()
    expected = dark.get_by_role("spinbutton", name=re.compile("^Expected for day 7"))
    dark.get_by_role("button", name="Draw over the chart").click()
    seventh = bars(dark, "by_day").nth(7).bounding_box()
    assert seventh is not None
    dark.mouse.move(seventh["x"] + seventh["width"] / 2, seventh["y"] + seventh["height"] / 2)
    dark.mouse.down()
    dark.mouse.up()
    half = sum(row[4] for row in SOLD if row[0] == 7) / 2
    expect(expected).not_to_have_value("")
    assert float(expected.input_value()) == pytest.approx(half, rel=0.02)
    expected.fill(f"{left[7]:.0f}")
    assert faults(dark) == []
    dark.get_by_role("button", name="Search", exact=True).click()
    # The days beside it, called fine, are as high for the same reason, so that no answer holds; that is said.
    answers = dark.get_by_role("region", name="Answers")
    expect(answers).to_contain_text("Nothing systematic", timeout=60_000)


@dataclass(frozen=True)
class Task:
    """Marks that look odd in a chart, and what must be among the first three answers."""

    chart: str
    marks: int
    odd: range
    answer: tuple[str, ...]
    without: tuple[str, ...] = ()
    """Columns that tell what is asked for, or nothing at all."""


TASKS = (
    Task("t1", 10, range(5, 10), ("CA", "MI")),
    Task("t2", 10, range(3, 7), ("MA", "WA")),
    Task("t3", 10, range(3, 7), ("MA",)),
    Task("humidity", 26, range(11, 12), ("mote_id", "1"), ("label",)),
)


def test_the_tasks_of_the_study_and_the_faulty_sensor_are_answered(page: Page, served: Served) -> None:
    for task in TASKS:
        page.goto(f"{served.address}/?view=explain&chart={task.chart}")
        expect(bars(page, task.chart)).to_have_count(task.marks, timeout=150_000)
        brush(page, bars(page, task.chart).nth(task.odd[0]), bars(page, task.chart).nth(task.odd[-1]))
        expect(page.get_by_role("button", name=f"Odd ({len(task.odd)})", exact=True)).to_be_visible()
        for column in task.without:
            page.get_by_label(column, exact=True).uncheck()
        page.get_by_role("button", name="Search", exact=True).click()
        answers = page.get_by_role("region", name="Answers")
        expect(answers.get_by_role("heading", name="Answers", exact=True)).to_be_visible(timeout=120_000)
        found = [each.inner_text() for each in answers.get_by_role("listitem").locator("strong").all()[:3]]
        assert any(all(re.search(rf"\b{word}\b", each) for word in task.answer) for each in found), (task.chart, found)
        # What is shown for the best one is what is left of the odd marks.
        answers.get_by_role("listitem").first.get_by_role("button").first.click()
        expect(page.get_by_text("Without rows where")).to_be_visible()


def test_the_forms_of_operators_are_those_the_server_describes(page: Page, served: Served) -> None:
    spec = {"aes": {"x": "amt"}, "geom": "histogram"}
    page.goto(f"{served.address}/?{urlencode({'view': 'chart', 'dataset': 'sold', 'spec': json.dumps(spec)})}")
    shelves = page.get_by_role("group", name="Shelves")
    text = page.get_by_role("textbox", name="Specification")
    expect(shelves.get_by_text("bars over stretches of x")).to_be_visible()
    expect(shelf(page, "Size")).to_have_count(0)  # a bar has no size of its own
    shelf(page, "Aggregate").select_option("bin")
    shelves.get_by_text("Options of bin", exact=True).click()
    shelves.get_by_role("textbox", name="bins", exact=True).fill("5")
    shelves.get_by_role("textbox", name="bins", exact=True).press("Enter")
    expect(text).to_have_value(re.compile(r'"stat": \{"type": "bin", "bins": 5\}'))
    expect(bars(page, "sold")).to_have_count(5, timeout=150_000)
    shelves.get_by_text("Scales", exact=True).click()
    shelf(page, "X scale").select_option("linear")
    shelves.get_by_text("Options of linear", exact=True).click()
    shelf(page, "reverse").select_option("true")
    expect(text).to_have_value(re.compile(r'"scale": \{"x": \{"type": "linear", "reverse": true\}\}'))
    if "WHENCE_PICTURES" in os.environ:  # to look at them
        page.screenshot(path=Path(os.environ["WHENCE_PICTURES"]) / "shelves.png")
    shelves.get_by_role("textbox", name="bins", exact=True).fill("")
    shelf(page, "Mark").click()  # leaving the field takes the option away
    expect(text).to_have_value(re.compile(r'"stat": "bin"'))
    assert faults(page) == []


def test_a_geom_the_page_never_heard_of_has_a_form(page: Page, served: Served) -> None:
    grammar = page.request.get(f"{served.address}/api/chart-grammar").json()
    petals = {**grammar["positions"][4]["options"][1], "name": "petals", "label": "how many petals"}
    grammar["geoms"] = [{**grammar["geoms"][0], "name": "flower", "channels": ["x"], "options": [petals]}]
    page.route("**/api/chart-grammar", lambda route: route.fulfill(json=grammar))
    page.goto(f"{served.address}/?view=chart&dataset=sold")
    shelf(page, "Mark").select_option("flower")
    expect(shelf(page, "Y")).to_have_count(0)
    shelves = page.get_by_role("group", name="Shelves")
    shelves.get_by_text("Options of flower").click()
    shelves.get_by_role("textbox", name="petals").fill("6")
    shelves.get_by_role("textbox", name="petals").press("Enter")
    text = page.get_by_role("textbox", name="Specification")
    expect(text).to_have_value(re.compile(r'"geom": \{"type": "flower", "petals": 6\}'))
    text.fill('{"geom": {"type": "herb", "leaves": 3}}')  # the server may know it, this page does not
    expect(shelf(page, "Y")).to_be_visible()
    shelves.get_by_role("textbox", name="leaves").fill("4")
    shelves.get_by_role("textbox", name="leaves").press("Enter")
    expect(text).to_have_value(re.compile(r'"geom": \{"type": "herb", "leaves": 4\}'))


def test_violins_over_numbers_that_never_repeat_are_refused_with_a_sentence(page: Page, served: Served) -> None:
    spec = {"aes": {"x": "amt", "y": "day"}, "geom": "violin"}
    page.goto(f"{served.address}/?{urlencode({'view': 'chart', 'dataset': 'sold', 'spec': json.dumps(spec)})}")
    expect(page.get_by_role("alert").first).to_contain_text(
        "but at most 100 violins stand side by side", timeout=150_000
    )
