"""Writes PROV documents as a stream, in any of W3C's four notations."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import escape

from whence.model.errors import UserError
from whence.pipeline.export.graph import (
    KINDS,
    Activity,
    Entities,
    Graph,
    Kind,
    Others,
    Relation,
    Statement,
    StatisticEntity,
    Values,
)

_OURS = "https://whence.dev/ns#"
_DATA = "urn:whence:pipeline:"
Attributes = list[tuple[str, str]]

_SIDES: dict[Kind, tuple[str, str]] = {
    "used": ("activity", "entity"),
    "wasGeneratedBy": ("entity", "activity"),
    "wasDerivedFrom": ("generatedEntity", "usedEntity"),
    "wasInvalidatedBy": ("entity", "activity"),
}


class Notation(ABC):
    """A PROV notation: how statements become text."""

    in_sections = False
    """Whether all statements of a kind must stand together."""

    def __init__(self, name: str) -> None:
        self.data = _DATA + name_part(name) + ":"

    @abstractmethod
    def head(self) -> str: ...

    @abstractmethod
    def tail(self) -> str: ...

    @abstractmethod
    def thing(self, kind: Kind, name: str, attributes: Attributes) -> str: ...

    @abstractmethod
    def relations(self, kind: Kind, left: list[str], right: list[str]) -> Iterator[str]: ...

    def section(self, kind: Kind, is_first: bool) -> str:
        """Return the text before the statements of a kind."""
        return ""

    def section_end(self) -> str:
        """Return the text after the statements of a kind."""
        return ""

    separator = ""


class ProvJson(Notation):
    """PROV-JSON."""

    in_sections = True
    separator = ",\n"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._numbers = count(1)

    def head(self) -> str:
        prefixes = {"w": self.data, "whence": _OURS}
        return f'{{"prefix": {json.dumps(prefixes)}'

    def tail(self) -> str:
        return "\n}\n"

    def section(self, kind: Kind, is_first: bool) -> str:
        return f',\n"{kind}": {{\n'

    def section_end(self) -> str:
        return "\n}"

    def thing(self, kind: Kind, name: str, attributes: Attributes) -> str:
        inside = ", ".join(f'"{key}": {_text(value)}' for key, value in attributes)
        return f'"w:{name}": {{{inside}}}'

    def relations(self, kind: Kind, left: list[str], right: list[str]) -> Iterator[str]:
        one, other = _SIDES[kind]
        numbers = self._numbers
        for a, b in zip(left, right, strict=True):
            yield f'"_:r{next(numbers)}": {{"prov:{one}": "w:{a}", "prov:{other}": "w:{b}"}}'


class ProvN(Notation):
    """PROV-N."""

    def head(self) -> str:
        return f"document\n  prefix w <{self.data}>\n  prefix whence <{_OURS}>\n\n"

    def tail(self) -> str:
        return "endDocument\n"

    def thing(self, kind: Kind, name: str, attributes: Attributes) -> str:
        inside = ", ".join(f"{key}={_text(value)}" for key, value in attributes)
        times = ", -, -" if kind == "activity" else ""
        return f"  {kind}(w:{name}{times}, [{inside}])\n"

    def relations(self, kind: Kind, left: list[str], right: list[str]) -> Iterator[str]:
        rest = {"used": ", -", "wasGeneratedBy": ", -", "wasInvalidatedBy": ", -", "wasDerivedFrom": ", -, -, -"}
        end = rest[str(kind)]
        for a, b in zip(left, right, strict=True):
            yield f"  {kind}(w:{a}, w:{b}{end})\n"


class ProvTurtle(Notation):
    """PROV-O in Turtle."""

    def head(self) -> str:
        return (
            f"@prefix prov: <http://www.w3.org/ns/prov#> .\n@prefix w: <{self.data}> .\n@prefix whence: <{_OURS}> .\n\n"
        )

    def tail(self) -> str:
        return ""

    def thing(self, kind: Kind, name: str, attributes: Attributes) -> str:
        inside = "".join(f" ;\n    {key} {_text(value)}" for key, value in attributes)
        return f"w:{name} a prov:{kind.capitalize()}{inside} .\n"

    def relations(self, kind: Kind, left: list[str], right: list[str]) -> Iterator[str]:
        for a, b in zip(left, right, strict=True):
            yield f"w:{a} prov:{kind} w:{b} .\n"


class ProvXml(Notation):
    """PROV-XML."""

    def head(self) -> str:
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<prov:document xmlns:prov="http://www.w3.org/ns/prov#" '
            f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:w="{self.data}" xmlns:whence="{_OURS}">\n'
        )

    def tail(self) -> str:
        return "</prov:document>\n"

    def thing(self, kind: Kind, name: str, attributes: Attributes) -> str:
        inside = "".join(f"<{key}>{_xml(value)}</{key}>" for key, value in attributes)
        return f'<prov:{kind} prov:id="w:{name}">{inside}</prov:{kind}>\n'

    def relations(self, kind: Kind, left: list[str], right: list[str]) -> Iterator[str]:
        one, other = _SIDES[kind]
        for a, b in zip(left, right, strict=True):
            yield (f'<prov:{kind}><prov:{one} prov:ref="w:{a}"/><prov:{other} prov:ref="w:{b}"/></prov:{kind}>\n')


NOTATIONS: dict[str, Callable[[str], Notation]] = {
    ".json": ProvJson,
    ".provn": ProvN,
    ".ttl": ProvTurtle,
    ".xml": ProvXml,
}


def write_prov(path: Path, name: str, graph: Graph) -> dict[Kind, int]:
    """Write a document, and return how many statements of each kind it has."""
    make = NOTATIONS.get(path.suffix.lower())
    if make is None:
        raise UserError(f"{path.name} has no notation of PROV as its ending.", f"Use {', '.join(NOTATIONS)}.")
    notation, counts = make(name), dict.fromkeys(KINDS, 0)
    # A document takes its name only when it is complete: a failure leaves an older one as it was.
    waiting = path.with_name(f".{path.name}.part")
    try:
        with waiting.open("w", encoding="utf-8", newline="\n") as file:
            file.write(notation.head())
            if notation.in_sections:
                # One pass over the stream for each kind, instead of holding all statements in memory.
                for kind in KINDS:
                    _section(file, notation, graph, kind, counts)
            else:
                _lines(file, notation, graph, counts)
            file.write(notation.tail())
        waiting.replace(path)
    finally:
        waiting.unlink(missing_ok=True)
    return counts


def _lines(file: TextIO, notation: Notation, graph: Graph, counts: dict[Kind, int]) -> None:
    for kind, texts in _write_statements(notation, graph, None):
        for text in texts:
            file.write(text)
            counts[kind] += 1


def _section(file: TextIO, notation: Notation, graph: Graph, kind: Kind, counts: dict[Kind, int]) -> None:
    separator = ""
    for _, texts in _write_statements(notation, graph, kind):
        for text in texts:
            file.write(separator or notation.section(kind, is_first=True))
            file.write(text)
            separator = notation.separator
            counts[kind] += 1
    if separator:
        file.write(notation.section_end())


def _write_statements(notation: Notation, graph: Graph, only: Kind | None) -> Iterator[tuple[Kind, Iterator[str]]]:
    for each in graph.statements():
        kind = _kind(each)
        if only is not None and kind != only:
            continue
        match each:
            case Relation():
                left, right = _ids(each.left), _ids(each.right)
                # An activity or a statistic is one side of all statements of a relation.
                length = max(len(left), len(right))
                left = left * length if len(left) < length else left
                right = right * length if len(right) < length else right
                yield kind, notation.relations(kind, left, right)
            case Activity():
                about = [("whence:operation", each.kind), ("whence:does", each.description)]
                yield kind, iter([notation.thing(kind, each.name, about)])
            case StatisticEntity():
                yield kind, iter([notation.thing(kind, each.name, [("prov:value", each.said)])])
            case Values():
                yield kind, _things(notation, each)


def _kind(statement: Statement) -> Kind:
    if isinstance(statement, Relation):
        return statement.kind
    return "activity" if isinstance(statement, Activity) else "entity"


def _things(notation: Notation, values: Values) -> Iterator[str]:
    for name, record, value in zip(_ids(values.entities), values.entities.records.tolist(), values.values, strict=True):
        attributes = [("whence:row", str(record)), ("whence:column", values.column)]
        if values.dataset:
            attributes.append(("whence:dataset", values.dataset))
        if value is not None:
            attributes.append(("prov:value", str(value)))
        yield notation.thing("entity", name, attributes)


def _ids(side: Entities | Others | str) -> list[str]:
    if isinstance(side, str):
        return [side]
    if isinstance(side, Others):
        return [f"d{side.dataset}r{record}c{side.column}" for record in side.records.tolist()]
    middle = f"c{side.feature}s"
    return [
        f"r{record}{middle}{state}" for record, state in zip(side.records.tolist(), side.states.tolist(), strict=True)
    ]


def name_part(name: str) -> str:
    """Return a name with only characters that a URN may hold.

    >>> name_part("my pipeline/2")
    'my_pipeline_2'
    """
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _xml(value: str) -> str:
    """Return text for XML; characters that XML cannot hold become the replacement character."""
    return escape(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", value))
