"""The same edits over next month's file: they follow their rows, and those whose row is gone are listed."""

import json
from pathlib import Path

import whence

Path("parts.csv").write_text("id,part,price\n1,bolt,10\n2,nut,4\n3,nail,7\n")

with whence.open("parts.whence") as ws:
    ws.load("parts.csv", key="id")
    sheet = ws.sheet("parts").set(1, "price", 5).delete_row(2).insert_row(after=0).set(1, "part", "washer")
    Path("edits.json").write_text(json.dumps(sheet.operations))

    Path("parts.csv").write_text("id,part,price\n4,rivet,1\n2,nut,6\n1,bolt,11\n")
    ws.reload("parts")
    again = ws.sheet("parts", json.loads(Path("edits.json").read_text()))
    print(again.page().values)
    print([str(edit) for edit in again.lost])
    print(again.apply("edited"))
