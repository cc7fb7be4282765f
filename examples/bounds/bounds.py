import whence

ws = whence.open("bounds.whence")
ws.create(
    "payments",
    [("north", 100), ("north", 36), ("south", 40), ("south", None)],
    schema="region string, amount int",
    cell_caveats=[
        (1, "amount", "36 or 86: the first digit is smudged", (36, 86)),
        (3, "amount", "not filled in; the form allows 1 to 50", (1, 50)),
    ],
)
totals = ws.sql(
    "select region, sum(amount) as total, count(*) as payments from payments group by region order by region",
    name="totals",
)
for row in range(2):
    print(totals.rows().column("region")[row], totals.caveats.bounds(row, "total"))

large = ws.sql("select count(*) as large, max(amount) as most from payments where amount > 45", name="large")
print("large:", large.caveats.bounds(0, "large"), "- the largest:", large.caveats.bounds(0, "most"))

doubted = ws.sql(
    "select region, caveat_if(amount, amount = 40, 'read as 40, could be 10', 10, 40) as amount from payments",
    name="doubted",
)
print(doubted.to_arrow(bounds=True).to_pylist()[2])

parts = ws.sql(
    "select pow(amount, 2) as square, amount div 10 as tens, sin(amount) as wave from payments", name="parts"
)
print("squared:", parts.caveats.bounds(1, "square"), "- tens:", parts.caveats.bounds(1, "tens"))
print(parts.caveats.bounds(1, "wave").why)

by_size = ws.sql(
    "select amount > 45 as large, count(*) as payments from payments where region = 'north' group by 1 order by 1",
    name="by_size",
)
print("by size:", *(str(by_size.caveats.bounds(row, "payments")) for row in range(by_size.count)), sep="\n  ")
middle = ws.sql("select median(amount) as middle from payments where region = 'north'", name="middle")
print("the median:", middle.caveats.bounds(0, "middle"))
