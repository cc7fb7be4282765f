import whence

ws = whence.open("lineage.whence")
ws.create("sales", [("north", 10), ("south", 25), ("north", 7)], schema="region string, amount int")
ws.create("names", [("north", "Nora"), ("south", "Sol")], schema="region string, lead string")
totals = ws.sql("select region, sum(amount) as total from sales group by region", name="totals")
report = ws.sql("select n.lead, t.total from totals t join names n on t.region = n.region order by lead", name="report")

back = report.lineage.backward([0], to="sales")  # two datasets back
print(back.ids, back.to_arrow().to_pylist())
print(ws["sales"].lineage.forward([1], to="report").to_arrow().to_pylist())
for cell in report.lineage.cell(0, "total", to="sources"):
    print(cell.role, cell.dataset, cell.row, cell.column, cell.value)
again = ws.sql("select max(amount) as largest from {rows}", name="largest", rows=back)  # query the answer
print(again.to_arrow().to_pylist(), again.lineage.strategy)
