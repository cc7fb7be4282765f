import json
from pathlib import Path

import whence

Path("orders.csv").write_text("id,shop,amount\n1,Ulm,12\n2,Bonn,many\n3,Ulm,7\n")

with whence.open("shop.whence", openlineage="events.jsonl") as ws:  # or an address, such as http://localhost:5000
    ws.load("orders.csv", name="orders", types={"amount": "int"})
    ws.sql("select shop, sum(amount) as total from orders group by shop", name="totals", lineage="inject")
    print("all taken:", ws.openlineage.flush(30))

events = [json.loads(line) for line in Path("events.jsonl").read_text().splitlines()]
for event in events:
    print(event["eventType"], event["job"]["name"], [each["name"] for each in event["inputs"]])

(totals,) = events[-1]["outputs"]
(edge,) = totals["facets"]["whence_rowLineage"]["edges"]
print(edge["name"], edge["precision"], edge["verifiedInputRows"], "of", edge["inputRows"], "rows")
print(totals["facets"]["whence_doubts"]["columns"])
