import whence

ws = whence.open("what_if.whence")
ws.create(
    "payments",
    [("north", 100), ("north", 36), ("south", 40), ("south", None)],
    schema="region string, amount int",
    cell_caveats=[
        (1, "amount", "36 or 86: the first digit is smudged", (36, 86)),
        (3, "amount", "not filled in; the form allows 1 to 50", (1, 50)),
    ],
)
ws.sql("select region, sum(amount) as total from payments group by region", name="totals")
large = ws.sql("select region, total from totals where total > 60 order by region", name="large")

(group,) = large.caveats.list()
smudged, blank = group.references
print(large.caveats.what_if({smudged: 86}).after.to_pylist())
supposed = large.caveats.what_if({smudged: 86, blank: 50})
print("gone:", supposed.gone.to_pylist())
print("new:", supposed.new.to_pylist())
