"""The tokens of a SQL text, without Spark: comments, texts, quoted names, arguments and words."""

from __future__ import annotations

import re
from itertools import accumulate

# The look-behind of `argument` leaves out casts such as y::int.
TOKEN = re.compile(
    r"""
      (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<text> [rR]?'(?:[^'\\]|\\.|'')*(?:'|\Z) | [rR]?"(?:[^"\\]|\\.|"")*(?:"|\Z) )
    | `(?P<quoted> (?:[^`]|``)+ )`
    | (?P<argument> (?<![:\w]):[^\W\d]\w* )
    | (?P<word> \w+ )
    """,
    re.VERBOSE | re.DOTALL,
)

# A text that is a name as it stands: without escapes, and without back-quotes, in which a name may hold anything.
_PLAIN_NAME = re.compile(r"""[rR]?(['"])[\w.\s]*\w[\w.\s]*\1""")
_COMPUTED_NAME = re.compile(r"\bidentifier\s*\((?!\s*'plain'\s*\))", re.IGNORECASE)


_PARENTHESIS = re.compile("[()]")


def computes_names(text: str) -> bool:
    """Whether `identifier(...)` is asked for anything but one plain string, so that only Spark knows the name.

    >>> computes_names("from identifier('my_' || 'parts')"), computes_names("from identifier('parts')")
    (True, False)
    """
    return _COMPUTED_NAME.search(TOKEN.sub(_outline, text)) is not None


def deepest_parentheses(text: str) -> int:
    """How deep parentheses are nested, outside of comments, texts and quoted names.

    >>> deepest_parentheses("select (1 + (2)) as n, '((((' as s")
    2
    """
    steps = (1 if each == "(" else -1 for each in _PARENTHESIS.findall(TOKEN.sub(_outline, text)))
    return max(accumulate(steps, initial=0))


def _outline(token: re.Match[str]) -> str:
    """Return a token without what it holds: of comments, texts and quoted names only that they are there."""
    if token["comment"]:
        return " "
    if token["text"]:
        return "'plain'" if _PLAIN_NAME.fullmatch(token["text"]) else "'other'"
    return "``" if token["quoted"] else token[0]
