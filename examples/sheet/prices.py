"""Edit a price list as in a spreadsheet, and know afterwards where every cell came from."""

import whence

with whence.open("prices.whence") as ws:
    ws.create(
        "prices",
        [("bolt", 10, 2.5), ("nut", 4, 0.5), ("nail", 7, None), ("bolt", 12, 3.0)],
        schema="part string, price int, weight double",
        cell_caveats=[(1, "price", "hard to read on the fax")],
    )
    sheet = ws.sheet("prices")
    sheet.insert_column("gross", after="weight").set_column("gross", "=B1*1.19")  # as typed in the first row
    sheet.insert_column("change", after="gross").set(1, "change", "=B2-B1").fill(1, "change", to=[2, 3])
    sheet.set(2, "weight", "=AVERAGE(C1:C2)").set(0, "part", "screw").apply_to_identical(0, "part")
    sheet.set(3, "price", "twelve")

    page = sheet.page(0, 4)
    print([f"{column.name} {column.type}" for column in page.columns])
    for row in zip(*page.values.values(), strict=True):
        print(row)
    for (row, column), failure in page.errors.items():
        print(f"{column} in row {row}: {failure}")

    sheet.undo()  # the price is a number again, and so is the column
    kept = sheet.apply("edited")
    print(kept.to_arrow().to_pylist()[3])
    print([(cell.row, cell.column, cell.role) for cell in kept.lineage.cell(2, "weight")])
    print(kept.caveats.marks()["change"].to_pylist(), kept.caveats.list(row=2, column="change")[0].message)
