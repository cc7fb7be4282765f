"""Caveats that are alike are told in one sentence."""

from __future__ import annotations

from dataclasses import replace

from whence.loading.caveat_sentence import caveat_sentence
from whence.loading.problems import Problem, cell, misfit, of_column, out_of_range
from whence.model.caveat import CaveatGroup, CaveatRef


def group(*problems: Problem, count: int | None = None) -> CaveatGroup:
    places = tuple(
        CaveatRef("deaths", 1, each.row, each.column, each.line, each.text, each.message) for each in problems
    )
    return CaveatGroup(problems[0].message, count or len(places), "load", "load deaths@1", problems[0].column, places)


def misfits(*texts: str, noun: str = "a number") -> list[Problem]:
    return [misfit(row, "rate", row + 2, text, noun) for row, text in enumerate(texts)]


def test_equal_misfits_are_counted_in_one_sentence() -> None:
    assert caveat_sentence(group(*misfits(".", "."))) == "2 values in rate are not numbers ('.')."
    assert caveat_sentence(group(*misfits("?", "8 USD", "?", noun="a date"))) == (
        "3 values in rate are not dates ('?', '8 USD')."
    )
    assert caveat_sentence(group(*misfits("a", "b", "c", "d", noun="true or false"))) == (
        "4 values in rate are not true or false (such as 'a', 'b', 'c')."
    )


def test_a_group_that_lists_only_its_first_caveats_claims_no_more() -> None:
    assert caveat_sentence(group(*misfits(".", "."), count=1386)) == (
        "1,386 values in rate are in doubt; the first 2 are not numbers (such as '.')."
    )


def test_what_all_messages_end_with_is_said_of_all() -> None:
    listed = replace(
        group(*misfits(".", "."), count=1386), ending=", is not a number; it is kept as text and the cell is empty."
    )
    assert caveat_sentence(listed) == "1,386 values in rate are not numbers (such as '.')."
    shorter = replace(listed, ending="the cell is empty.")
    assert "the first 2 are not numbers" in caveat_sentence(shorter)


def test_other_equal_doubts_are_counted_too() -> None:
    odd = [cell(row, "rate", row + 2, "n/a", "missing word", "may stand for a missing value") for row in range(2)]
    assert caveat_sentence(group(*odd)) == "2 values in rate ('n/a'): each may stand for a missing value."
    kept = "may stand for a missing value; it is kept as text, nulls=[...] leaves it out"
    odd = [cell(row, "rate", row + 2, "n/a", "missing word", kept) for row in range(2)]
    assert caveat_sentence(group(*odd)) == "2 values in rate may stand for missing values ('n/a')."


def test_caveats_that_differ_keep_the_message_of_the_first() -> None:
    (first,) = misfits(".")
    for other in (out_of_range(1, "rate", 3, "1e999", "a number"), of_column("rate", "mixed", "It is mixed.")):
        assert caveat_sentence(group(first, other)) == first.message
    assert caveat_sentence(group(first)) == first.message
