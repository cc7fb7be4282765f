"""Turns docstrings into Markdown for the pages that are made from code."""

from __future__ import annotations

import inspect
import re


def first_sentence(thing: object) -> str:
    """Return the first sentence of the docstring, however many lines it takes.

    >>> first_sentence(first_sentence)
    'Return the first sentence of the docstring, however many lines it takes.'
    """
    paragraph = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.!?]) (?=[A-Z`])", paragraph, maxsplit=1)[0]


def markdown(thing: object) -> str:
    """Return the docstring with its examples as blocks of code."""
    return "\n\n".join(_paragraph(each) for each in (inspect.getdoc(thing) or "").split("\n\n") if each.strip())


def _paragraph(text: str) -> str:
    if text.startswith(">>>"):
        return f"```pycon\n{text}\n```"
    before, _, example = text.partition("\n>>>")
    prose = "\n".join(line.strip() for line in before.splitlines())
    return f"{prose}\n\n```pycon\n>>>{example}\n```" if example else prose
