import whence

with whence.open("shop.whence") as ws:
    ws.create("orders", [("Oslo", 120), ("Bergen", 80)], schema="shop string, amount int")
    nb = ws.notebook("report")
    cell = nb.append("sql", source="select shop, amount from orders where amount > 100", name="large")
    nb.wait()
    nb.update(cell, source="select shop, amount from orders where amount > 50")
    nb.wait()
    for each in nb.history():
        print(each.version, each.action)

    print(nb.results(1)["large"].to_arrow().to_pylist())  # what an old version ends with
    nb.restore(1)  # the old text as a new version; nothing is lost
    nb.wait()
    print(nb.version, nb.cells[0].source, ws["large"].count)
