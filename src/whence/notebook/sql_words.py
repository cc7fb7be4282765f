"""Finds the names that a SQL text may mean, without Spark: every identifier outside strings and comments."""

from __future__ import annotations

import re
from collections.abc import Mapping

from whence.plan.expr import QUESTIONS
from whence.plan.sql_text import text, written
from whence.plan.sql_tokens import TOKEN


def words_in(text: str) -> frozenset[str]:
    """Return every name in the text: more than the datasets it reads, never fewer unless it `computes_names`.

    Only Spark's parser could tell names from other words, and it may not be running yet.

    >>> sorted(words_in("select 'parts' x from `my parts` -- nothing"))
    ['from', 'my parts', 'select', 'x']
    """
    found, strings = set[str](), list[str]()
    for token in TOKEN.finditer(text):
        if token["quoted"]:
            found.add(token["quoted"].replace("``", "`"))
        elif token["word"]:
            found.add(token["word"])
        elif token["argument"]:
            found.add(token["argument"][1:])
        elif token["text"]:
            strings.append(token["text"].lstrip("rR").strip("'\""))
    if "identifier" in {word.lower() for word in found}:
        # identifier('parts') names a dataset in a string, so then every string, and every word in one, may be a name.
        found.update(word for string in strings for word in (string, *re.findall(r"\w+", string)))
    return frozenset(found)


def arguments_in(text: str) -> frozenset[str]:
    """Return the parameters that a text uses as `:name`.

    >>> arguments_in("select * from t where x > :least and y::int = 1 and z = ':no'")
    frozenset({'least'})
    """
    return frozenset(token["argument"][1:] for token in TOKEN.finditer(text) if token["argument"])


def asks_for_marks(text: str) -> bool:
    """Whether the result of a text depends on which values are in doubt, or between which values they lie.

    >>> texts = ["select Has_Caveat(x) from t", "select bound_low(x) from t", "select 'has_caveat'"]
    >>> list(map(asks_for_marks, texts))
    [True, True, False]
    """
    return not QUESTIONS.isdisjoint(word.lower() for word in words_in(text))


def bind_arguments(values: Mapping[str, object], arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a cell with each `:name` in an expression replaced by the parameter's value in SQL.

    >>> bind_arguments({"condition": "x > :least and y = ':least'"}, {"least": 4})
    {'condition': "x > 4 and y = ':least'"}
    """
    return {name: _bound(value, arguments) for name, value in values.items()}


def _bound(value: object, arguments: Mapping[str, object]) -> object:
    if isinstance(value, Mapping):
        return {key: _bound(each, arguments) for key, each in value.items()}
    if isinstance(value, list):
        return [_bound(each, arguments) for each in value]
    return TOKEN.sub(lambda token: _literal(token, arguments), value) if isinstance(value, str) else value


def _literal(token: re.Match[str], arguments: Mapping[str, object]) -> str:
    name = (token["argument"] or ":")[1:]
    if not name or name not in arguments:
        return token[0]
    value = arguments[name]
    if value is None:
        return "null"
    return text(value) if isinstance(value, str) else written(value)
