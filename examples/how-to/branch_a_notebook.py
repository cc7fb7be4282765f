import whence

with whence.open("shop.whence") as ws:
    ws.create("orders", [("Oslo", 120), ("Bergen", 80)], schema="shop string, amount int")
    nb = ws.notebook("report")
    cell = nb.append("sql", source="select shop, amount from orders where amount > 100", name="large")
    nb.wait()

    nb.branch("try")
    nb.checkout("try")
    nb.update(cell, source="select shop, amount from orders where amount > 50")
    nb.wait()
    print("try: ", ws["large"].count, "rows")

    nb.checkout("main")  # as it was
    print("main:", ws["large"].count, "row")
    print(nb.branches())
    (change,) = nb.compare(nb.branches()["main"], nb.branches()["try"]).cells
    print(change.cell, change.change)
