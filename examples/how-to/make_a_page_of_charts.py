import whence

with whence.open("shop.whence") as ws:
    ws.create("orders", [("Oslo", 120), ("Bergen", 80), ("Oslo", 30)], schema="shop string, amount int")
    nb = ws.notebook("report")
    note = nb.append("markdown", source="# Orders")
    nb.append("parameters", source="least = 50")
    large = nb.append("sql", source="select * from orders where amount >= :least", name="large")
    bars = nb.append("chart", source="large", chart="bar", x="shop", y="sum(amount)", name="by_shop")
    nb.wait()

    nb.page.add(note, width=9)
    nb.page.add_input("least", "slider", low=0, high=200, x=9, y=0, title="At least")
    chart = nb.page.add(bars, y=2, width=7)
    nb.page.add(large, x=7, y=2, width=5)
    nb.page.change(chart, height=6, title="By shop")
    for item in nb.page.items:
        print(item.cell, item.shows, item.name, f"column {item.x}, row {item.y}, {item.width} x {item.height}")
    print([version.action for version in nb.history()][-2:])

    nb.set_parameters({"least": 100})  # what an input of the page does
    nb.wait()
    print(ws["large"].to_arrow().to_pylist())

    chart = ws["by_shop"].as_chart()
    linked = whence.link([chart], tables=[ws["orders"]])
    linked.brush(chart, marks=[0])
    print(linked.rows(ws["orders"]).to_arrow().to_pylist())
