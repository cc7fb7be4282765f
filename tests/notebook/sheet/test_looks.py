"""What a look at a sheet finds, against its pages read cell by cell, after random scripts of every operation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import whence
from tests.notebook.sheet.scripts import Script
from whence.notebook.sheet.places import Direction
from whence.workspace.sheet import Sheet
from whence.workspace.sheet_look import SheetLook

SEEDS = range(60)
NUMBERS = ("int", "big", "dou", "dec")
Cell = tuple[int, str]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> list[Script]:
    made = []
    place: Path = tmp_path_factory.mktemp("looks")
    for seed in SEEDS:
        script = Script(seed + 9000, whence.open(place / f"{seed}.whence"), rows=7)
        for _ in range(14):
            script.step()
        made.append(script)
    return made


def marked(look: SheetLook, sheet: Sheet) -> tuple[list[Cell], list[Cell]]:
    """Doubtful and edited cells in reading order, by the page; a doubtful row counts as its first cell."""
    page = look.page(0, look.count)
    names = sheet.columns
    doubts = [
        (row, name)
        for row in range(look.count)
        for place, name in enumerate(names)
        if page.marks[name][row] or (place == 0 and page.row_marks[row])
    ]
    return doubts, [(row, name) for row in range(look.count) for name in names if page.edited[name][row]]


def looks(sheet: Sheet) -> list[SheetLook]:
    first = sheet.columns[0] if sheet.columns else None
    return [sheet.look(), *([] if first is None else [sheet.look("A1>2")])]


def test_doubts_and_edits_are_counted_where_the_pages_show_them(scripts: list[Script]) -> None:
    seen = 0
    for script in scripts:
        for look in looks(script.sheet):
            doubts, edits = marked(look, script.sheet)
            density = look.density(3)
            ends = [*density.starts[1:], look.count]
            for cells, counts in ((doubts, density.doubts), (edits, density.edits)):
                stretches = zip(density.starts, ends, strict=True)
                assert counts == [sum(low <= row < high for row, _ in cells) for low, high in stretches], script.done
            seen += len(doubts) + len(edits)
    assert seen > 200


def both_ways(cells: list[tuple[int, str]]) -> dict[Direction, list[tuple[int, str]]]:
    return {"next": cells, "previous": cells[::-1]}


def test_walking_from_doubt_to_doubt_meets_each_once_in_both_directions(scripts: list[Script]) -> None:
    for script in scripts:
        for look in looks(script.sheet):
            doubts, _ = marked(look, script.sheet)
            for way, expected in both_ways(doubts).items():
                here, met = look.next_doubt(None, None, way), []
                while here is not None and not here.wrapped:
                    met.append((here.row, here.column))
                    here = look.next_doubt(here.row, here.column, way)
                assert met == expected, script.done
                assert (here is None) == (not doubts)


def test_a_text_is_found_where_the_pages_show_it(scripts: list[Script], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whence.notebook.sheet.places.CHUNK", 2)
    found = 0
    for script in scripts:
        for look in looks(script.sheet):
            page = look.page(0, look.count)
            cells = [
                (row, name)
                for row in range(look.count)
                for name in script.sheet.columns
                if isinstance(value := page.values[name][row], str) and "fig" in value.lower()
            ]
            for way, expected in both_ways(cells).items():
                here, met = look.find("FIG", None, None, way), []
                while here is not None and not here.wrapped:
                    met.append((here.row, here.column))
                    here = look.find("FIG", here.row, here.column, way)
                assert met == expected, script.done
            found += len(cells)
    assert found > 50


def test_a_selection_comes_to_what_its_cells_say(scripts: list[Script]) -> None:
    for script in scripts:
        for look in looks(script.sheet):
            page = look.page(0, look.count)
            types = {field.name: field.type for field in page.columns}
            stop = max(look.count - 1, 0)
            values: list[tuple[str, Any]] = [
                (name, each) for name in script.sheet.columns for each in page.values[name][1:stop]
            ]
            numbers = [float(each) for name, each in values if each is not None and types[name][:3] in NUMBERS]
            found = look.summary(1, stop, script.sheet.columns)
            assert (found.filled, found.numbers) == (sum(each is not None for _, each in values), len(numbers))
            assert found.sum == (pytest.approx(sum(numbers)) if numbers else None), script.done
