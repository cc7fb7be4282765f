"""Random workspaces with people whose every value holds a token of their own, and the same without some of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import whence
from whence.model.errors import UserError

NAMES = ("Ada", "Bob", "Cy", "Dee")


@dataclass(frozen=True)
class Person:
    """A row. `token` is in the texts of one person only."""

    id: int
    token: str
    city: str
    age: int | None
    note: str | None

    def row(self) -> dict[str, object]:
        """The row as all forms of source data hold it."""
        return {"id": self.id, "name": self.token, "city": self.city, "age": self.age, "note": self.note}


@dataclass(frozen=True)
class Case:
    """One random case: who there is, who goes, and the steps that make the workspace."""

    people: tuple[Person, ...]
    newer: tuple[Person, ...]
    """Who is in the second version."""
    goes: frozenset[int]
    source: str
    steps: tuple[str, ...]
    has_versions: bool

    @property
    def where(self) -> str:
        """The condition that the rows that go meet."""
        return f"id in ({', '.join(map(str, sorted(self.goes)))})"

    @property
    def tokens(self) -> list[str]:
        """The tokens that must be gone."""
        return [each.token for each in {*self.people, *self.newer} if each.id in self.goes]

    def build(self, ws: whence.Workspace, folder: Path, *, with_all: bool) -> None:
        """Make the workspace, with everybody or without those who go."""
        folder.mkdir()
        for number, people in enumerate((self.people, self.newer) if self.has_versions else (self.people,)):
            there = [each for each in people if with_all or each.id not in self.goes]
            _SOURCES[self.source](ws, folder / f"people{number}", there)
            for step in self.steps:
                (_STEPS | _MORE_STEPS)[step](ws)


def random_case(seed: int) -> Case:
    """The case of a seed."""
    draw = random.Random(seed)
    people = tuple(_person(draw, number) for number in range(draw.randint(4, 9)))
    newer = tuple(sorted(draw.sample(people, len(people) - 1), key=lambda each: each.id))
    chosen = draw.sample(people, draw.randint(1, 2))
    steps = draw.sample(sorted(_STEPS), draw.randint(2, 4))
    source, has_versions = draw.choice(sorted(_SOURCES)), draw.random() < 0.4
    steps += draw.sample(sorted(_MORE_STEPS), draw.randint(0, 2))
    ordered = tuple(name for name in (*_STEPS, *_MORE_STEPS) if name in steps)
    return Case(people, newer, frozenset(each.id for each in chosen), source, ordered, has_versions)


def _person(draw: random.Random, number: int) -> Person:
    token = f"Tok{draw.getrandbits(48):012x}"
    note = draw.choice([None, f"note of {token}", "plain"])
    return Person(100 + number, token, draw.choice("xyz"), draw.choice([None, *range(20, 60, 7)]), note)


def _csv(ws: whence.Workspace, path: Path, people: Sequence[Person]) -> None:
    rows = (",".join("" if value is None else str(value) for value in each.row().values()) for each in people)
    path.with_suffix(".csv").write_text("\n".join(["id,name,city,age,note", *rows]) + "\n")
    types = {"id": "bigint", "age": "bigint", "name": "string", "city": "string", "note": "string"}
    ws.load(path.with_suffix(".csv"), name="people", types=types)


def _json(ws: whence.Workspace, path: Path, people: Sequence[Person]) -> None:
    path.with_suffix(".jsonl").write_text("".join(json.dumps(each.row()) + "\n" for each in people))
    ws.load(path.with_suffix(".jsonl"), name="people", types={"age": "bigint", "note": "string"})


def _table(people: Sequence[Person]) -> pa.Table:
    kinds = [
        ("id", pa.int64()),
        ("name", pa.string()),
        ("city", pa.string()),
        ("age", pa.int64()),
        ("note", pa.string()),
    ]
    return pa.Table.from_pylist([each.row() for each in people], schema=pa.schema(kinds))


def _parquet(ws: whence.Workspace, path: Path, people: Sequence[Person]) -> None:
    pq.write_table(_table(people), path.with_suffix(".parquet"))
    ws.load(path.with_suffix(".parquet"), name="people", in_place=False)


def _in_place(ws: whence.Workspace, path: Path, people: Sequence[Person]) -> None:
    pq.write_table(_table(people), path.with_suffix(".parquet"))
    ws.load(path.with_suffix(".parquet"), name="people", in_place=True)


def _created(ws: whence.Workspace, _: Path, people: Sequence[Person]) -> None:
    doubts = [(row, "age", f"{each.token} said so") for row, each in enumerate(people) if each.id % 2]
    ws.create("people", _table(people), cell_caveats=doubts, row_caveats=[(0, "first")] if people[0].id == 100 else [])


_SOURCES: dict[str, Callable[[whence.Workspace, Path, Sequence[Person]], None]] = {
    "csv": _csv, "json": _json, "parquet": _parquet, "in place": _in_place, "created": _created
}  # fmt: skip


def _caveat(ws: whence.Workspace) -> None:
    ws["people"].caveat("age > 30", "age", "guessed")


def _column_caveat(ws: whence.Workspace) -> None:
    ws["people"].caveat(None, "city", "all by hearsay")


def _check(ws: whence.Workspace) -> None:
    ws.expect("people", [whence.Check("row", "age > 25")], name="checked")


def _look(ws: whence.Workspace) -> None:
    """Views, profiles and indexes that hold values."""
    people = ws["people"]
    people.profile()
    people.view(sort=["name"], where=[("name", "!=", "x")]).rows(0, 9)
    people.row_keys()
    ws.scratch_sql("select name, note from people")


def _sheet(ws: whence.Workspace) -> None:
    """A sheet with edits that are not applied."""
    ws.sheet("people").set(0, "note", str(ws["people"].to_arrow().column("name")[0]))


def _sql(name: str, text: str) -> Callable[[whence.Workspace], None]:
    def run(ws: whence.Workspace) -> None:
        ws.sql(text, name=name)

    return run


def _lens(name: str, lens: str, **parameters: object) -> Callable[[whence.Workspace], None]:
    def run(ws: whence.Workspace) -> None:
        ws.lens(lens, "people", name=name, **parameters)

    return run


def _pipeline(ws: whence.Workspace) -> None:
    steps = whence.Pipeline(ws["people"], name="ready").impute({"age": "mean"}).group_by("city", {"age": "avg(age)"})
    steps.derive({"old": "age > 40"}).result  # noqa: B018 - storing it


def _chart(ws: whence.Workspace) -> None:
    spec = {"aes": {"x": "city", "y": "age"}, "stat": "sum", "geom": "bar"}
    ws["people"].chart(spec, name="bars").marks  # noqa: B018 - drawing stores them


def _edited(ws: whence.Workspace) -> None:
    """A sheet with edits of rows of which some go; each person's row is found by the id."""
    people = ws["people"]
    sheet = ws.sheet(people)
    for place, row in enumerate(people.to_arrow().to_pylist()):
        if row["id"] % 3:
            sheet.set(place, "note", f"seen {row['name']}")
    sheet.insert_column("later", value="=[@age]+1").apply(name="edited")


_STEPS: dict[str, Callable[[whence.Workspace], None]] = {
    "caveat": _caveat,
    "column caveat": _column_caveat,
    "look": _look,
    "sheet": _sheet,
    "check": _check,
    "pipeline": _pipeline,
    "chart": _chart,
    "edited": _edited,
    "some": _sql("some", "select name, city, age from people where age is not null order by id"),
    "cities": _sql("cities", "select city, count(*) n, max(name) last, sum(age) total from people group by city"),
    "pairs": _sql(
        "pairs", "select a.name, b.name other from people a join people b on a.city = b.city and a.id < b.id"
    ),
    "ranks": _sql("ranks", "select name, row_number() over (order by id) place from people"),
    "hidden": _sql("hidden", "select count(*) n from people group by name"),
    "filled": _lens("filled", "impute", column="age", method="mean"),
    "trimmed": _lens("trimmed", "trim", columns=["name"]),
}


def _failed(ws: whence.Workspace) -> None:
    """A query that fails: its message quotes a value."""
    with pytest.raises(UserError, match="cast"):
        ws.sql("select cast(name as int) n from people order by id", name="numbers")


def _notebook(ws: whence.Workspace) -> None:
    """Cells that show rows, and one that fails."""
    notebook = ws.notebook("look")
    notebook.append("sql", source="select name, note from people order by id", name="seen")
    notebook.append("sql", source="select cast(name as int) n from seen", name="counts")
    notebook.wait()


_MORE_STEPS: dict[str, Callable[[whence.Workspace], None]] = {
    "failed": _failed,
    "notebook": _notebook,
    "united": _sql("united", "select name, city from people union all select 'nobody', 'x'"),
    "distinct": _sql("distinct", "select distinct city, note from people"),
}
