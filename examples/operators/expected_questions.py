import whence

ws = whence.open("expected.whence")
sales = [(region, kind, f"2024-0{1 + i % 6}-10", float(i)) for i, (region, kind) in enumerate(
    (region, kind) for region in ("north", "south") for kind in ("bolt", "nut", "screw") for _ in range(4)
)]  # fmt: skip
ws.create("sales", sales, schema="region string, kind string, day string, amount double")
totals = ws.sql("select region, sum(amount) total from sales group by region order by region", name="totals")

# A chart will let people filter by kind and drill down by month: say so once.
ready = totals.lineage.prepare(to="sales", by=["kind", "month(day)"], measures=["amount"])
print(ready.rows([0], kind="nut").ids.tolist())  # the rows behind the first bar, filtered: only these ids are read
print(ready.totals([0], by=["month(day)"], kind="nut").to_pylist()[0])  # drilled down: no row is read

towns = ws.create("towns", [("10", "Rye"), ("20", "Ely"), ("20", "Eli")], schema="zip string, city string")
found = whence.check_fd(towns, "zip -> city")
print(found, found.rows(0).ids.tolist(), whence.key_candidates(towns))
print(ws.graph.derived_from("sales"), ws.graph.sources("totals"))
ws.close()
