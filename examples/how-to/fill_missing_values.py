import whence

with whence.open("people.whence") as ws:
    rows = [("ann", "nurse", 34.0), ("bob", "cook", None), ("cy", "cook", 51.0), ("dee", "cook", 47.0)]
    ws.create("people", rows, schema="name string, job string, age double")
    filled = ws.lens("impute", "people", name="filled", column="age", method="mean", by=["job"])
    print(filled.to_pandas().to_string(index=False))
    print(filled.lens_report.sentence)
    for group in filled.caveats.list(row=1, column="age"):
        print(f"{group.family}: {group.message}")
