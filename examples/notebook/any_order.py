import whence

with whence.open("any-order.whence") as ws:
    nb = ws.notebook("prices")
    nb.mode = "session"  # Python cells share their variables, and run when you say so, in any order
    total = nb.append("python", source="ws['gross'] = [{'name': n, 'gross': p * (1 + vat)} for n, p in prices.items()]")
    prices = nb.append("python", source="prices = {'bolt': 2.0, 'nut': 0.5}")
    vat = nb.append("python", source="vat = 0.19")
    nb.run(prices).run(vat).run(total).wait()
    print(ws["gross"].to_arrow().to_pylist())

    nb.update(vat, source="vat = 0.07")
    nb.run(vat).wait()
    for cell, reason in nb.session.highlights().reasons.items():
        print(f"{cell}: {reason}")

    for conflict in nb.session.to_workflow().conflicts:
        print(f"no order: {conflict.reason}")
    nb.run(total).wait()
    print("one order:", ", ".join(nb.session.to_workflow().cells))
    print(nb.cells[0].source)
