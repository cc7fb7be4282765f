import whence

with whence.open("prices.whence") as ws:
    ws.create("prices", [("bolt", 10), ("nut", 400), ("nail", 7)], schema="part string, price int")
    sheet = ws.sheet("prices")
    sheet.set(1, "price", 4)  # somebody typed two zeros too many
    sheet.set(0, "part", "screw").undo()
    sheet.set_where("[@price] < 5", "price", 5)
    for step in sheet.history(1, "price"):
        print(step)
    edited = sheet.apply("edited")
    print(edited.to_arrow().to_pylist())
    print(ws.diff("prices", "edited"))
