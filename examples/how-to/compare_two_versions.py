from pathlib import Path

import whence

with whence.open("parts.whence") as ws:
    Path("parts.csv").write_text("id,part,price\n1,bolt,10\n2,nut,4\n3,nail,7\n")
    ws.load("parts.csv", name="parts", key="id")
    Path("parts.csv").write_text("id,part,price\n4,rivet,1\n2,nut,6\n1,bolt,10\n")
    ws.reload("parts")

    found = ws.diff("parts@1", "parts@2")
    print(found)
    print("added:", found.added.to_arrow().to_pylist())
    print("removed:", found.removed.to_arrow().to_pylist())
    for cell in found.changed:
        print(cell)
