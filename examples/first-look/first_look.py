from pathlib import Path

import whence

ws = whence.open("first-look.whence")
ws.load(Path(__file__).with_name("orders.csv"), name="orders")
totals = ws.sql("select city, sum(amount) as total from orders group by city order by city", name="totals")
print(totals.to_pandas())
for cell in totals.lineage.cell(1, "total"):  # what the total of Oslo was made from
    print(cell.role, cell.dataset, cell.row, cell.column, cell.value)
for group in totals.caveats.list(row=1):  # and what is doubtful about it
    print([f"line {place.line}: {place.message}" for place in group.references])
