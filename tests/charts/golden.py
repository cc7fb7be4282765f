"""Draws every geom with every stat, position and scale over every kind of column, and pins the answers.

The marks are made up from the kinds of the columns, so no Spark is needed. An answer is the query of a chart, its notes
and its picture, or the sentence that refuses it. `./dev generate --records charts` records the answers;
`python -m tests.charts.golden show GROUP` prints those of one line of the record, to be compared between two commits.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa

from tests.charts.gallery import GALLERY
from tests.charts.test_compile import Known
from whence.charts.compile import Branch, Compiled, compile_spec
from whence.charts.errors import BadChart
from whence.charts.geoms.registry import GEOMS
from whence.charts.kinds import Kind
from whence.charts.parse import parse
from whence.charts.picture import Doubts, compose
from whence.charts.positions.registry import POSITIONS
from whence.charts.scales.registry import SCALES
from whence.charts.stats.registry import STATS
from whence.charts.vega import to_vega

RECORD = Path(__file__).parent / "golden.txt"
MANY = 9_000
Spec = dict[str, object]
Case = tuple[str, Spec, int]
"""The group of the record it belongs to, a specification, and the number of rows of its dataset."""

COLUMNS: dict[str, dict[str, str]] = {
    "numbers": {"x": "x", "y": "y"},
    "numbers by colour": {"x": "x", "y": "y", "color": "g"},
    "text and number": {"x": "g", "y": "amount", "color": "h"},
    "number and text": {"x": "amount", "y": "g"},
    "two texts": {"x": "g", "y": "h", "color": "amount"},
    "time and number": {"x": "day", "y": "amount", "color": "g", "size": "n"},
    "one number": {"x": "x"},
    "one text": {"x": "g"},
    "number up": {"y": "y"},
    "text up": {"y": "g"},
}
_NUMBERS = {"lower": 1.0, "q1": 2.0, "y": 3.0, "q3": 4.0, "upper": 5.0, "density": 0.1, "x2": 1.0, "y2": 4.0}
_ROWS = 5


def cases(columns: str) -> Iterator[Case]:
    """All charts over some columns."""
    aes = COLUMNS[columns]
    for geom in (None, *GEOMS):
        base = _chosen({"aes": aes}, "geom", geom)
        for stat in (None, *STATS):
            of_stat = _chosen(base, "stat", stat)
            for pos in (None, *POSITIONS):
                yield f"{columns}: {geom}, {stat}", _chosen(of_stat, "pos", pos), 100
            for flip in (False, True):
                yield f"{columns}: {geom}, {stat}", {**of_stat, "coord": {"flip": flip}}, MANY
        for channel in aes:
            for scale in SCALES:
                spec = {**base, "scale": {channel: _scale(scale)}}
                yield f"{columns}: {geom} on scales", spec, 100
    yield from ((f"{columns}: without {name}", {**spec, "aes": aes}, 100) for name, spec in _odd())


def _odd() -> Iterator[tuple[str, Spec]]:
    yield "outliers", {"geom": {"type": "box", "outliers": False, "color": "red"}}
    yield "a straight curve", {"stat": "loess"}


def gallery() -> Iterator[Case]:
    """The charts of the gallery."""
    return ((f"gallery: {name}", spec, 100) for name, spec in GALLERY.items())


def _chosen(spec: Spec, key: str, name: str | None) -> Spec:
    return spec if name is None else {**spec, key: name}


def _scale(name: str) -> object:
    return {"type": name, "domain": [2, 4]} if name == "threshold" else name


def answer(spec: Spec, rows: int) -> object:
    """The query, the notes and the picture of a chart, or why there is none."""
    try:
        read = parse(spec)
        compiled = compile_spec(read, Known(rows))
        picture = compose(compiled, _marks(compiled), Doubts(frozenset({1})), read.max_marks)
        return [compiled.sql, compiled.notes, to_vega(read, compiled, picture)]
    except BadChart as error:
        return str(error)


def _marks(compiled: Compiled) -> pa.Table:
    rows = [_row(branch, number) for branch in compiled.branches for number in range(_ROWS)]
    return pa.table({name: [row.get(name) for row in rows] for name in compiled.columns})


def _row(branch: Branch, number: int) -> dict[str, object]:
    values = {name: _value(name, kind, number) for name, kind in branch.kinds.items()}
    return {**values, **branch.layer.panel, "layer": branch.number}


def _value(name: str, kind: Kind, number: int) -> object:
    if kind == "text":
        return "abc"[number % 3]
    offset = _NUMBERS.get(name, 0.5)
    return date(2020, 1, 1) + timedelta(days=number + int(offset)) if kind == "time" else number + offset


def digests(found: Iterator[Case]) -> dict[str, str]:
    """By group, a short name for all its answers."""
    hashes: dict[str, hashlib._Hash] = {}
    for group, spec, rows in found:
        text = json.dumps([spec, answer(spec, rows)], default=str, sort_keys=True)
        hashes.setdefault(group, hashlib.sha256()).update(text.encode())
    return {group: each.hexdigest()[:12] for group, each in hashes.items()}


def recorded() -> dict[str, str]:
    """The record."""
    lines = (line.rpartition(" ") for line in RECORD.read_text(encoding="utf-8").splitlines())
    return {group: digest for group, _, digest in lines}


def all_cases() -> Iterator[Case]:
    """Everything in the record, in its order."""
    for columns in COLUMNS:
        yield from cases(columns)
    yield from gallery()


def main(action: str, group: str = "") -> None:
    """Record the answers, or print those of a group."""
    if action == "write":
        lines = (f"{name} {digest}\n" for name, digest in digests(all_cases()).items())
        RECORD.write_text("".join(lines), encoding="utf-8")
        return
    for _, spec, rows in (case for case in all_cases() if case[0] == group):
        sys.stdout.write(json.dumps([spec, answer(spec, rows)], default=str, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
