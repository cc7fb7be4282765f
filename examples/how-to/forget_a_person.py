from pathlib import Path

import whence

Path("people.csv").write_text("id,name,age\n1,Ada,36\n4711,Roberta,51\n3,Cy,25\n")

with whence.open("people.whence") as ws:
    ws.load("people.csv")
    ws.sql("select max(age) as age from people", name="oldest")
    ws.sql("select name, rand() as lot from people", name="lots")

    plan = ws.plan_forgetting("people", where="id = 4711")  # nothing has happened yet
    print("would go:", plan.rows, "would be deleted:", {each.label: why for each, why in plan.deleted})

    certificate = ws.forget("people", where="id = 4711")
    print(certificate.count, "row went from", certificate.rows[0].version)
    print(ws["people"].to_arrow().column("name").to_pylist(), ws["oldest"].to_arrow().to_pylist())
    print("made again:", certificate.made_again, "deleted:", list(certificate.deleted))
    print(certificate.verified[-1])
    print("covers Roberta:", certificate.covers({"id": 4711, "name": "Roberta", "age": 51}))
