"""The pages made from code name everything there is, and end their sentences."""

from __future__ import annotations

import inspect
import re

import pytest

import whence
from tools import cells_page, cli_page, docstrings, http_api_page, python_api_page
from whence.server.openapi import schema


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The text of each page, made once."""
    makers = {"cells": cells_page, "cli": cli_page, "http": http_api_page, "python": python_api_page}
    return {name: maker.write_page() for name, maker in makers.items()}


@pytest.mark.parametrize("page", ["cells", "cli", "http", "python"])
def test_the_list_at_the_top_of_a_page_ends_its_sentences(pages: dict[str, str], page: str) -> None:
    listed = re.findall(r"^\| \[`.*\| (.*) \|$", pages[page], re.MULTILINE)
    assert len(listed) > 20
    assert [sentence for sentence in listed if not sentence.endswith((".", "?"))] == []


def test_the_python_page_has_every_exported_function_and_class(pages: dict[str, str]) -> None:
    things = [name for name in whence.__all__ if inspect.isfunction(getattr(whence, name)) or _is_class(name)]
    assert [name for name in things if f"{{#whence.{name}}}" not in pages["python"]] == []
    assert "{#whence.Workspace.load}" in pages["python"]


def _is_class(name: str) -> bool:
    return inspect.isclass(getattr(whence, name))


def test_the_page_of_the_command_line_has_commands_of_groups_too(pages: dict[str, str]) -> None:
    named = re.findall(r"^## whence ([a-z -]+?) \{", pages["cli"], re.MULTILINE)
    assert {"serve", "run", "trace", "du", "safety check"} <= set(named)


def test_the_page_of_the_server_has_every_route_and_shape(pages: dict[str, str]) -> None:
    page, document = pages["http"], schema()
    routes = re.findall(r"^## [A-Z]+ (\S+) \{", page, re.MULTILINE)
    assert list(dict.fromkeys(routes)) == list(document["paths"])  # type: ignore[call-overload]
    links, anchors = set(re.findall(r"\]\(#(\w+)\)", page)), set(re.findall(r"\{#(\w+)\}", page))
    assert links <= anchors


def test_a_first_sentence_may_take_several_lines() -> None:
    def example() -> None:
        """Say something that is long enough
        for two lines. And something else.
        """

    assert docstrings.first_sentence(example) == "Say something that is long enough for two lines."
    assert docstrings.markdown(docstrings.first_sentence).count("```") == 2
