import whence

with whence.open("suppliers.whence") as ws:
    names = ["Acme Inc", "ACME inc.", "Inc Acme", "Birch Ltd", "Acme Inc", "Birch Ltd.", "Route 1", "Route 2"]
    ws.create("quotes", [(name, 1) for name in names], schema="supplier string, n int")
    merged = ws.lens("standardise", "quotes", name="merged", column="supplier", method="fingerprint")
    print(merged.lens_report.learned["clusters"])
    print(ws.sql("select supplier, sum(n) as n from merged group by 1 order by 1", name="counts").to_pandas())
    print(merged.caveats.list(column="supplier")[0].message)
