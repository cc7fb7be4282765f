import whence

ws = whence.open("caveats.whence")
ws.create(
    "parts",
    [("bolt", "Acme", 3), ("nut", "Acme", None), ("rod", "Birch", 21), ("pin", "Birch", 4)],
    schema="part string, supplier string, price int",
    cell_caveats=[(2, "price", "written as '21 USD'")],
)
filled = ws.lens("impute", "parts", name="filled", column="price", method="median")
cheap = ws.sql("select supplier, count(*) as n from filled where price < 10 group by supplier", name="cheap")
for row, marks in zip(cheap.to_arrow().to_pylist(), cheap.caveats.marks().to_pylist(), strict=True):
    print(row, "in doubt:", [name for name, is_marked in marks.items() if is_marked])
for group in cheap.caveats.list():
    print(f"{group.count} x {group.family}: {group.message}")
print("might a row be missing?", cheap.caveats.row_set)
