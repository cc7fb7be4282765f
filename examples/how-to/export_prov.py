import json
from pathlib import Path

import whence

with whence.open("people.whence") as ws:
    people = ws.create("people", [("nurse", 34.0), ("cook", None)], schema="job string, age double")
    p = whence.Pipeline(people, name="ready").impute({"age": 40.0})
    print(p.result)
    print(p.provenance.export("ready.json"))  # W3C PROV; also .provn, .ttl, .xml
    print(p.provenance.export("one_cell.provn", row=1, column="age"))
    print(sorted(json.loads(Path("ready.json").read_text())))

    event = p.provenance.openlineage(namespace="shop")  # post it to an OpenLineage server, or keep it
    (output,) = event["outputs"]
    print(output["name"], sorted(output["facets"]["columnLineage"]["fields"]))
