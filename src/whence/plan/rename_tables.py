"""Gives tables other names in a SQL text, without Spark: where the text reads them, and where it qualifies columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whence.plan.sql_text import quoted
from whence.plan.sql_tokens import TOKEN, computes_names

_PIECE = re.compile(rf"{TOKEN.pattern} | (?P<mark> \|> | [(),.] )", re.VERBOSE | re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z_]\w*")
_READS = frozenset({"from", "join", "table"})
_AFTER_FROM = frozenset(
    {"select", "where", "group", "order", "having", "limit", "offset", "union", "intersect", "except", "minus"}
    | {"window", "qualify", "cluster", "distribute", "sort", "set"}
)
_NO_ALIAS = _AFTER_FROM | frozenset(
    {"on", "using", "as", "join", "left", "right", "inner", "outer", "full", "cross", "natural", "semi", "anti"}
    | {"lateral", "tablesample", "pivot", "unpivot", "with", "values", "for", "version", "timestamp"}
)
_CALLS_WITH_FROM = frozenset({"extract", "trim", "substring", "substr", "overlay"})


@dataclass
class _Level:
    """One level of brackets: whether it is in a list of tables, and whether the next name is a table."""

    is_in_from: bool = False
    expects_table: bool = False
    is_call: bool = False


def rename_tables(text: str, names: Mapping[str, str]) -> str:
    """Return the text with tables called by other names; `names` has them by their old ones in lower case.

    A text that computes names, and a name that the text defines itself after WITH, stay as they are.

    >>> rename_tables("select a.x, min(b.y) from A join b on a.x = b.x -- from b", {"a": "c", "b": "my b"})
    'select c.x, min(`my b`.y) from c join `my b` on c.x = `my b`.x -- from b'
    """
    if computes_names(text):
        return text
    pieces = [piece for piece in _PIECE.finditer(text) if not piece["comment"]]
    named = [_name_of(piece) for piece in pieces]
    defined = {named[place] for place in range(len(pieces)) if _words(pieces, place + 1, 2) == ["as", "("]}
    tables = [place for place in _find_tables(pieces) if named[place] in names.keys() - defined]
    bare = {named[place] for place in tables if not _alias_of(pieces, place)} - _aliases(pieces, named)
    qualifiers = [place for place, name in enumerate(named) if name in bare and _is_qualifier(pieces, place)]
    return _replace(text, [(pieces[place], names[named[place]]) for place in sorted({*tables, *qualifiers})])


def _find_tables(pieces: Sequence[re.Match[str]]) -> Iterator[int]:
    """Yield the positions of the names that stand where a table is read."""
    levels = [_Level()]
    for place, piece in enumerate(pieces):
        here, word = levels[-1], (piece["word"] or piece["mark"] or "").lower()
        before = (_words(pieces, place - 1, 1) or [""])[0] if place else ""
        if word == "(":
            is_call = before in _CALLS_WITH_FROM
            levels.append(_Level(here.expects_table, here.expects_table, is_call))
            here.expects_table = False
        elif word == ")":
            levels = levels[:-1] or [_Level()]
        elif word == ",":
            here.expects_table = here.is_in_from
        elif word in _READS and before not in ("distinct", ".") and not here.is_call:
            here.is_in_from = here.expects_table = True
        elif word in _AFTER_FROM or word == "|>":
            here.is_in_from = here.expects_table = False
        elif here.expects_table and word != "lateral":
            here.expects_table = False
            # `f(` is a function of a table, and `s.` a schema, which no dataset has.
            if _name_of(piece) and _words(pieces, place + 1, 1) not in (["("], ["."]):
                yield place


def _alias_of(pieces: Sequence[re.Match[str]], place: int) -> str:
    """Return the alias of the table at this place, in lower case; an empty text if it has none."""
    after = place + 2 if _words(pieces, place + 1, 1) == ["as"] else place + 1
    name = _name_of(pieces[after]) if after < len(pieces) else ""
    return "" if name in _NO_ALIAS and not pieces[after]["quoted"] else name


def _aliases(pieces: Sequence[re.Match[str]], named: Sequence[str]) -> set[str]:
    """Return the aliases of tables, and every name behind a bracket, which may be one of a subquery."""
    behind = {named[place + 1] for place in range(len(pieces) - 1) if pieces[place]["mark"] == ")"}
    return behind | {_alias_of(pieces, place) for place in _find_tables(pieces)} - {""}


def _is_qualifier(pieces: Sequence[re.Match[str]], place: int) -> bool:
    return _words(pieces, place + 1, 1) == ["."] and (place == 0 or pieces[place - 1]["mark"] != ".")


def _name_of(piece: re.Match[str]) -> str:
    """Return the name that a piece may be, in lower case; an empty text for marks, texts and arguments."""
    return (piece["quoted"].replace("``", "`") if piece["quoted"] else piece["word"] or "").lower()


def _words(pieces: Sequence[re.Match[str]], place: int, count: int) -> list[str]:
    """Return the words and marks from a place on, in lower case."""
    return [(piece["word"] or piece["mark"] or "").lower() for piece in pieces[place : place + count]]


def _replace(text: str, changes: Sequence[tuple[re.Match[str], str]]) -> str:
    for piece, name in reversed(changes):
        is_plain = not piece["quoted"] and _PLAIN.fullmatch(name)
        text = text[: piece.start()] + (name if is_plain else quoted(name)) + text[piece.end() :]
    return text
