"""Cells of datasets that a pipeline joins or adds are entities of its PROV document, each once, none left dangling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import whence

PEOPLE = [("a", 1), ("b", 2), ("x", 3)]
NAMES = [("b", "Bob"), ("a", "Ada"), ("z", "Zoe")]


def test_joined_and_added_cells_are_entities(ws: whence.Workspace, tmp_path: Path) -> None:
    people = ws.create("people", PEOPLE, schema="k string, n int")
    ws.create("names", NAMES, schema="k string, name string")
    ws.create("more", [("c", 9, "Cy")], schema="k string, n int, name string")
    p = (
        whence.Pipeline(people, name="joined")
        .join("names", on=["k"], how="left")
        .union("more")
        .transform(["n"], "{}+1")
    )
    p.provenance.export(tmp_path / "all.json")
    document = read(tmp_path / "all.json")
    rows = [(row["k"], row["name"]) for row in p.result.to_arrow().to_pylist()]
    records = p.provenance.record_ids().tolist()
    held = {name: about for name, about in document["entity"].items() if "whence:dataset" in about}
    # Of names the rows that found somebody, of more every cell; each cell once.
    told = sorted(
        (about["whence:dataset"], int(about["whence:row"]), about["whence:column"]) for about in held.values()
    )
    assert told == [("more@1", 0, name) for name in ("k", "n", "name")] + [("names@1", row, "name") for row in (0, 1)]
    wanted = {(k, name) for k, name in rows if name is not None}
    derived = {
        (about["prov:generatedEntity"], about["prov:usedEntity"]) for about in document["wasDerivedFrom"].values()
    }
    found = set()
    for made, used in derived:
        if used in held and held[used]["whence:column"] == "name":
            record = int(document["entity"][made]["whence:row"])
            found.add((rows[records.index(record)][0], held[used]["prov:value"]))
    assert found == wanted
    p.provenance.export(tmp_path / "one.json", row=records.index(1), column="name")
    about = [each for each in read(tmp_path / "one.json")["entity"].values() if "whence:dataset" in each]
    assert [(each["whence:dataset"], each["prov:value"]) for each in about] == [("names@1", "Bob")]


def read(path: Path) -> Any:  # noqa: ANN401
    """The document, once everything it speaks of is there."""
    document = json.loads(path.read_text())
    things = {*document["entity"], *document["activity"]}
    for kind in ("used", "wasGeneratedBy", "wasDerivedFrom", "wasInvalidatedBy"):
        statements = [tuple(each.values()) for each in document.get(kind, {}).values()]
        assert len(set(statements)) == len(statements), kind
        assert {name for each in statements for name in each} <= things, kind
    return document
