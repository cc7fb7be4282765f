import whence

ws = whence.open("width.whence")
ws.create(
    "payments",
    [("north", 100), ("north", 36), ("north", 1), ("south", 40)],
    schema="region string, amount int",
    cell_caveats=[
        (0, "amount", "98 to 101: a stain", (98, 101)),
        (1, "amount", "36 or 86: the first digit is smudged", (36, 86)),
        (2, "amount", "1 or 2", (1, 2)),
        (3, "amount", "40 or 46", (40, 46)),
    ],
)
totals = ws.sql("select region, sum(amount) as total from payments group by region order by region", name="totals")
print("north:", totals.caveats.bounds(0, "total"))
for part in totals.caveats.width_parts(0, "total"):
    print("-", part)

print("resolve first:")
for doubt in totals.caveats.narrow("total")[:2]:
    print("-", doubt)
