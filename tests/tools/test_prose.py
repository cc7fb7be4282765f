from __future__ import annotations

from tools.prose import WIDTH, wrap

LONG = "word " * 40 + "end"


def test_prose_is_broken_and_says_the_same() -> None:
    lines = wrap(LONG).split("\n")
    assert len(lines) == 2
    assert all(len(line) <= WIDTH for line in lines)
    assert " ".join(lines) == LONG


def test_lines_of_a_list_stay_in_their_item() -> None:
    assert [line[:6] for line in wrap(f"- {LONG}\n- {LONG}").split("\n")] == ["- word", "  word"] * 2


def test_tables_headings_code_and_short_lines_stay() -> None:
    page = f"# {LONG}\n\n| {LONG} |\n\n```text\n{LONG}\n```\n\n    {LONG}\n\nshort\n"
    assert wrap(page) == page


def test_no_line_becomes_an_item_of_a_list() -> None:
    page = "x" * (WIDTH - 1) + " - what follows"
    assert wrap(page) == page
