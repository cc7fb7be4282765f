import whence

with whence.open("prices.whence") as ws:
    ws.create("prices", [("bolt", 10, 2.5), ("nut", 4, None)], schema="part string, price int, weight double")
    sheet = ws.sheet("prices")
    sheet.insert_column("gross", after="price", value="=[@price]*1.19")
    sheet.insert_column("kind", after="weight", value='=IF([@weight]>1, "heavy", "light")')
    priced = sheet.apply("priced")
    print(priced.to_pandas().to_string(index=False))
    print([(cell.column, cell.value) for cell in priced.lineage.cell(0, "gross")])
