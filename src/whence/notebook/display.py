"""The outputs of a cell besides its datasets: rich output as in Jupyter, and the lines it printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Json = dict[str, object]

PLOTLY = "application/vnd.plotly.v1+json"
"""The form of a Plotly figure: what Plotly's script draws."""


@dataclass(frozen=True)
class Rich:
    """One output in several forms, by MIME type. The front end shows the richest form it knows."""

    data: Mapping[str, object]
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Stream:
    """Text that a cell printed."""

    name: Literal["stdout", "stderr"]
    text: str


Display = Rich | Stream


def to_json(display: Display) -> Json:
    """Return a display as JSON."""
    match display:
        case Rich():
            return {"data": dict(display.data), "metadata": dict(display.metadata)}
        case Stream():
            return {"stream": display.name, "text": display.text}


def from_json(content: Mapping[str, object]) -> Display:
    """Return the display that `to_json` wrote.

    >>> from_json(to_json(Stream("stdout", "hello")))
    Stream(name='stdout', text='hello')
    """
    if "stream" in content:
        return Stream("stderr" if content["stream"] == "stderr" else "stdout", str(content["text"]))
    data, metadata = content["data"], content.get("metadata") or {}
    assert isinstance(data, Mapping)
    assert isinstance(metadata, Mapping)
    return Rich(data, metadata)
