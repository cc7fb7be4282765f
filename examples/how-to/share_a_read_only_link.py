import whence

with whence.open("shop.whence") as ws:
    ws.create("orders", [("Oslo", 120), ("Bergen", 80)], schema="shop string, amount int")
    nb = ws.notebook("report")
    nb.append("sql", source="select max(amount) as most from orders", name="most")
    nb.wait()

    share = nb.share(days=7)  # shows the version of now, also after later edits
    print("version", share.version, [each.id == share.id for each in nb.shares()])
    seen = ws.shared(share.token)  # what the server shows to whoever opens the link
    print(seen.name, seen.version, [each.name for each in seen.datasets])

    share.revoke()
    print(ws.shared(share.token), nb.shares())
