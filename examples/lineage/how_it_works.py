import whence

ws = whence.open("how.whence")
ws.create(
    "sales", [("north", 10), ("south", 25), ("north", 7), ("east", 2), ("south", 8)], schema="region string, amount int"
)
totals = ws.sql("select region, sum(amount) as total from sales where amount > 5 group by region", name="totals")
print(totals.lineage.explain())
