import whence

with whence.open("prices.whence") as ws:
    ws.create("quotes", [("bolt", "3"), ("nut", "21 USD"), ("rod", "call us")], schema="part string, price string")
    prices = ws.sql(
        """
        select part, caveat_if(try_cast(regexp_extract(price, '[0-9]+', 0) as int),
                               price rlike '[^0-9]', concat('read from ', price)) as price
        from quotes
        """,
        name="prices",
    )
    total = ws.sql("select sum(price) as total from prices", name="total")
    print(prices.to_arrow().to_pylist())
    print("in doubt:", total.caveats.marks()["total"].to_pylist())
    print([(group.count, group.messages) for group in total.caveats.list(row=0, column="total")])
