"""Translates regular expressions of Python into Java's, where both certainly mean the same."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<literal>[A-Za-z0-9\ _,;:@\#%&=!<>~"'/-])
  | (?P<escape>\\[!-/:-@\[-`{-~])                  # punctuation stands for itself
  | (?P<class>\[\^?(?:[A-Za-z0-9\ _.,;:@\#%=!<>~"'/+*?$(){}|-]|\\[!-/:-@\[-`{-~])+\])
  | (?P<count>\{\d+(?:,\d*)?\})
  | (?P<same>\(\?:|\((?!\?)|[)|*+?^])
  | (?P<dot>\.)
  | (?P<end>\$)
    """,
    re.VERBOSE,
)
# In Java a dot and a dollar sign know more ends of lines than in Python.
_JAVA = {"dot": r"[^\n]", "end": r"(?=\n?\z)"}


def java_pattern(pattern: str) -> str | None:
    r"""Return the pattern for Java; None where it may mean something else there, such as `\d`.

    >>> java_pattern("^[0-9]{5}$"), java_pattern(r"\d")
    ('^[0-9]{5}(?=\\n?\\z)', None)
    """
    try:
        re.compile(pattern)
    except re.error:
        return None
    found, at = [], 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:
            return None
        found.append(_JAVA.get(token.lastgroup or "", token[0]))
        at = token.end()
    return "".join(found)
