"""Refuses queries whose parentheses are nested too deeply, before Spark's parser tries for minutes."""

from __future__ import annotations

from whence.model.errors import BadQuery
from whence.plan.sql_tokens import deepest_parentheses

_DEEPEST = 1000
"""Spark's parser manages some 300 levels, gives up on 500 after seconds, and tries 5,000 for minutes."""


def refuse_deep_nesting(text: str) -> None:
    """Raise an error if Spark's parser would not come to an end with the query."""
    if text.count("(") <= _DEEPEST:
        return
    depth = deepest_parentheses(text)
    if depth > _DEEPEST:
        raise BadQuery(
            f"The query nests parentheses {depth:,} deep, and Spark reads some hundreds.",
            "Make a part of it a dataset of its own.",
        )
