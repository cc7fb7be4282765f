"""A recipe of CONTRIBUTING.md names every file it takes to add something, which is then everywhere it should be."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.recipes.look import SEEN, TYPES
from tests.recipes.recipe import ROOT, Recipe, read_recipes
from tests.recipes.repository_copy import RepositoryCopy, changed_files, read_stamps
from tests.recipes.sample import SAMPLES
from tools.generated import GENERATED
from tools.records import RECORDS

RECIPES = read_recipes()
GENERATE = "./dev generate"


@pytest.fixture(scope="module")
def observations(copy: RepositoryCopy) -> dict[str, Any]:
    """What a process in the copy saw, once it had made the files made from code; "changed" are those."""
    before = read_stamps(copy.root)
    checks = dict.fromkeys(check for sample in SAMPLES.values() for check in sample.checks)
    copy.run_tests("not spark and not long", "tests/recipes/look.py", *checks)
    found: dict[str, Any] = json.loads((copy.root / SEEN).read_text(encoding="utf-8"))
    return {**found, "changed": changed_files(before, read_stamps(copy.root))}


def test_there_is_a_recipe_for_each_sample() -> None:
    assert RECIPES.keys() == SAMPLES.keys()


def test_a_page_of_the_documentation_shows_each_recipe() -> None:
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "recipes").glob("*.md")]
    shown = [section for page in pages for section in re.findall(r'--8<-- "CONTRIBUTING.md:(\w+)"', page)]
    assert sorted(shown) == sorted(RECIPES)


@pytest.mark.parametrize("section", SAMPLES)
def test_a_recipe_touches_the_files_that_it_names(copy: RepositoryCopy, section: str) -> None:
    assert copy.touched[section] == RECIPES[section].files(SAMPLES[section].name)


@pytest.mark.parametrize("arguments", [("check",), ("format", "--check")], ids=" ".join)
def test_what_a_recipe_writes_is_in_style(copy: RepositoryCopy, arguments: tuple[str, ...]) -> None:
    files = sorted(path for paths in copy.touched.values() for path in paths)
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", *arguments, *files], cwd=copy.root, capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stdout.decode()


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_a_recipe_counts_its_files(recipe: Recipe) -> None:
    by_command = [path for paths in recipe.by_command.values() for path in paths]
    assert (len(recipe.by_hand), len(by_command)) == recipe.counts
    assert len(recipe.by_hand) + len(recipe.by_command) == recipe.steps, "a step names no file"


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_one_command_writes_what_is_not_written_by_hand(recipe: Recipe) -> None:
    for command, paths in recipe.by_command.items():
        part = command.removeprefix(f"{GENERATE} --records ")
        assert set(paths) <= (GENERATED.keys() if command == GENERATE else set(RECORDS[part].files))


@pytest.mark.parametrize("section", SAMPLES)
def test_the_commands_of_a_recipe_write_what_speaks_of_the_sample(
    copy: RepositoryCopy, observations: dict[str, Any], section: str
) -> None:
    named = {path for paths in RECIPES[section].by_command.values() for path in paths}
    assert named == made_files(copy, observations, section)


def made_files(copy: RepositoryCopy, observations: dict[str, Any], section: str) -> set[str]:
    """The files made by commands that say something of a sample which the repository's own do not say."""
    sample = SAMPLES[section]
    made = {path for path in observations["changed"] if sample.word in new_lines(copy.root / path, ROOT / path)}
    return made | {
        path for path, words in observations["missing"].items() if any(sample.name in word for word in words)
    }


def new_lines(new: Path, old: Path) -> str:
    """The lines of a file that another does not have."""
    known = set(old.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in new.read_text(encoding="utf-8").splitlines() if line not in known)


def test_the_commands_write_nothing_else(observations: dict[str, Any]) -> None:
    named = {path for recipe in RECIPES.values() for paths in recipe.by_command.values() for path in paths}
    assert observations["changed"] == named - observations["missing"].keys()
    assert all(observations["missing"].values())
    assert observations["missing"][TYPES] == ["/api/datasets/{name}/shape"]


def test_a_new_cell_kind_is_in_the_menu_with_its_form(observations: dict[str, Any]) -> None:
    (kind,) = [each for each in observations["kinds"] if each["name"] == "reverse_columns"]
    assert (kind["title"], kind["group"]) == ("Reverse the columns", "Query")
    assert [each["name"] for each in kind["parameters"]] == ["source", "name"]


def test_a_new_transformation_is_a_cell_with_a_form_and_on_the_command_line(observations: dict[str, Any]) -> None:
    (kind,) = [each for each in observations["kinds"] if each["name"] == "reverse_text"]
    assert (kind["title"], kind["group"]) == ("Write backwards", "Clean")
    assert [(each["name"], each["kind"], each["label"], each["is_required"]) for each in kind["parameters"]] == [
        ("source", "dataset", "the dataset to read", True),
        ("column", "column", "the text column to write backwards", True),
        ("name", "text", "what to call the result", True),
    ]
    assert "reverse_text     Write backwards" in observations["transformations"]


def test_a_new_geom_is_offered_by_the_form_and_drawn(observations: dict[str, Any]) -> None:
    (geom,) = [each for each in observations["geoms"] if each["name"] == "diamond"]
    assert geom["title"] == "a diamond for each mark"
    _, _, vega = observations["picture"]
    assert '"shape": "diamond"' in json.dumps(vega)


def test_a_new_route_answers_who_is_signed_in_and_nobody_else(observations: dict[str, Any]) -> None:
    assert observations["shape"] == [401, {"rows": 8, "columns": 5}]
