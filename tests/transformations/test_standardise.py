"""Standardising values: clusters against all pairs compared by definition, the cells that change, and what they say."""

from __future__ import annotations

import random

import pytest

import whence
from tests.transformations.looks import each_its_own, marks, messages, raised, rows
from whence.model.errors import UserError
from whence.transformations.clusters import by_distance, by_key, fingerprint, ngram_fingerprint, phonetic

NAMES = ["Acme Inc", "ACME, Inc.", "inc acme", "Bolt & Co", "bolt & co", "Cög", "Cog"]


def edits(one: str, other: str) -> int:
    """Levenshtein's distance by its definition, row by row."""
    before = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        now = [i]
        for j, b in enumerate(other, start=1):
            now.append(min(before[j] + 1, now[-1] + 1, before[j - 1] + (a != b)))
        before = now
    return before[-1]


def digits(value: str) -> list[str]:
    return "".join(each if each.isdigit() else " " for each in value).split()


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_clusters_by_distance_are_those_of_all_pairs(radius: int) -> None:
    chance = random.Random(radius)
    for _ in range(60):
        values = {"".join(chance.choices("abAB 1é", k=chance.randint(0, 7))) for _ in range(25)}
        counts = {value: chance.randint(1, 3) for value in values}
        plain = {value: " ".join(value.casefold().split()) for value in values}
        groups = [{value} for value in values]
        for one in values:
            for other in values:
                if edits(plain[one], plain[other]) <= radius and digits(one) == digits(other):
                    (a,), (b,) = ([g for g in groups if each in g] for each in (one, other))
                    if a is not b:
                        groups.remove(b)
                        a |= b
        expected = {frozenset(group) for group in groups if len(group) > 1}
        found = by_distance(counts, radius)
        assert {frozenset(cluster) for cluster in found} == expected
        assert all(cluster[0] == min(cluster, key=lambda v: (-counts[v], v)) for cluster in found)


def test_keys_forget_how_a_value_is_written_but_not_its_numbers() -> None:
    assert fingerprint(" Inc., ACME  acme") == fingerprint("acme inc")
    assert ngram_fingerprint("Par is") == ngram_fingerprint("paris")
    assert phonetic("Catherine Smith") == phonetic("Katherine Smyth")
    assert phonetic("Route 1") != phonetic("Route 2")
    counts = dict.fromkeys(NAMES, 1)
    assert by_key(counts, fingerprint) == [
        ("ACME, Inc.", "Acme Inc", "inc acme"), ("Bolt & Co", "bolt & co"), ("Cog", "Cög"),
    ]  # fmt: skip
    assert by_key({"!": 1, "?": 1}, fingerprint) == []


@pytest.fixture
def names(ws: whence.Workspace) -> whence.Dataset:
    table = [(name,) for name in [*NAMES, "Acme Inc", "bolt & co", None, "", "Acme 2", "Acme 3"]]
    return ws.create("names", table, schema="`who's` string")


def test_each_changed_cell_says_which_values_were_merged(ws: whence.Workspace, names: whence.Dataset) -> None:
    made = ws.lens("standardise", names, column="who's", name="clean")
    changed = {1: "Acme Inc", 2: "Acme Inc", 3: "bolt & co", 5: "Cog"}
    before = [row[0] for row in rows(names)]
    assert [row[0] for row in rows(made)] == [changed.get(n, value) for n, value in enumerate(before)]
    assert marks(made) == raised(made) == {(n, "who's") for n in changed}
    assert messages(made, "who's")[1] == (
        "'ACME, Inc.' was taken for the same as 'Acme Inc', 'inc acme', because they have the same words, and became "
        "'Acme Inc'."
    )
    assert each_its_own(made)
    assert made.lens_report is not None
    assert made.lens_report.learned["clusters"] == {
        "Acme Inc": {"Acme Inc": 2, "ACME, Inc.": 1, "inc acme": 1},
        "Cog": {"Cog": 1, "Cög": 1},
        "bolt & co": {"bolt & co": 2, "Bolt & Co": 1},
    }


def test_clusters_are_accepted_refused_and_renamed(ws: whence.Workspace, names: whence.Dataset) -> None:
    made = ws.lens(
        "standardise", names, column="who's", name="chosen", accept=["Acme Inc", "Cog"], refuse=["inc acme"],
        rename={"Acme Inc": "Acme Incorporated"},
    )  # fmt: skip
    changed = {0: "Acme Incorporated", 1: "Acme Incorporated", 5: "Cog", 7: "Acme Incorporated"}
    before = [row[0] for row in rows(names)]
    assert [row[0] for row in rows(made)] == [changed.get(n, value) for n, value in enumerate(before)]
    assert marks(made) == {(n, "who's") for n in changed}
    with pytest.raises(UserError, match=r"A radius of 9 letters is no sign"):
        ws.lens("standardise", names, column="who's", method="distance", radius=9)


def test_too_many_values_are_refused_in_a_sentence(ws: whence.Workspace) -> None:
    given = ws.create("many", [(str(n),) for n in range(20_001)], schema="x string")
    with pytest.raises(UserError, match=r"x has more than 20,000 different values, too many to compare"):
        ws.lens("standardise", given, column="x", method="distance")
