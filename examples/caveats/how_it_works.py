import whence

ws = whence.open("how.whence")
ws.create(
    "sales",
    [("north", 10), ("south", 25), ("north", 7), ("east", 2)],
    schema="region string, amount int",
    cell_caveats=[(2, "amount", "hard to read"), (3, "amount", "may be 2 or 20")],
)
large = ws.sql("select region, amount * 2 as twice from sales where amount > 5", name="large")
before, *_, with_flags = large.lineage.explain().split("\n\n")
print(before, with_flags, sep="\n\n")

print("\nThe doubt flags:")
for row, marks in zip(large.to_arrow().to_pylist(), large.caveats.marks().to_pylist(), strict=True):
    print(f"  {row} in doubt: {[name for name, is_marked in marks.items() if is_marked]}")
print("  might a row be missing?", large.caveats.row_set)
print("\nThe caveats behind them:")
for group in large.caveats.list():
    print(f"  {group.count} x {group.column} of {group.made_by}: {', '.join(group.messages)}")
