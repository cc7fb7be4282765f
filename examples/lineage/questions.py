import whence

ws = whence.open("questions.whence")
ws.create("sales", [("north", 10), ("south", 25), ("north", 7), ("east", 2)], schema="region string, amount int")
ws.create("closed", [("east",)], schema="region string")
open_sales = ws.sql("select * from sales where region not in (select region from closed)", name="open_sales")
totals = ws.sql("select region, count(*) n, sum(amount) as total from open_sales group by region", name="totals")
north = totals.to_arrow()["region"].to_pylist().index("north")

each = totals.lineage.backward_each([north, range(totals.count)], to="sales")  # several questions, one answer each
print(each.counts, [rows.ids.tolist() for rows in each])
print(open_sales.lineage.backward([0], to="closed").ids)  # nothing of it is in the row ...
print(open_sales.lineage.backward([0], to="closed", influence=True).ids)  # ... but it decided about it
print(totals.lineage.why_not("sales", 3))  # where did east go?
print(totals.lineage.why(north), totals.lineage.count(north))  # which rows made it together, in how many ways
print(totals.lineage.refresh([north]).to_pylist())  # computed again, from just the rows behind it
less = totals.lineage.without([0], of="open_sales")  # and without one of them
print(less.how, less.before.to_pylist(), less.after.to_pylist())
