"""Writes the call of Python that does what a cell does."""

from __future__ import annotations

_LONGEST = 100
"""Characters of a call that stands in one line."""


def write_call(function: str, *arguments: object, **named: object) -> str:
    """Return a call as code; arguments that are None are left out.

    >>> write_call("ws.lens", "trim", "parts", name="clean", columns=["part"], inside=None)
    "ws.lens('trim', 'parts', name='clean', columns=['part'])"
    """
    written = [write_value(each) for each in arguments]
    written += [f"{name}={write_value(value)}" for name, value in named.items() if value is not None]
    call = f"{function}({', '.join(written)})"
    if len(call) <= _LONGEST or len(written) == 1 or '"""' in call:
        return call
    lines = "".join(f"    {each},\n" for each in written)
    return f"{function}(\n{lines})"


def write_value(value: object) -> str:
    """Return a value as code; a text of several lines stands in three quotes."""
    return write_text(value) if isinstance(value, str) else repr(value)


def write_text(text: str) -> str:
    """Return a text as code.

    >>> write_text("one line")
    "'one line'"
    """
    plain = "\n" in text and '"""' not in text and "\\" not in text and not text.endswith('"')
    return f'"""\n{text}\n"""' if plain else repr(text)
