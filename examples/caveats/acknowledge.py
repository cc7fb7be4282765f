import whence

ws = whence.open("acknowledge.whence")
ws.create(
    "prices",
    [("bolt", "3"), ("nut", "21 USD"), ("rod", "$19"), ("pin", "4")],
    schema="part string, price string",
)
parts = ws.sql(
    """
    select part, cast(caveat_if(regexp_replace(price, '[^0-9]', ''), price rlike '[^0-9]',
                                concat(price, ' is taken for dollars')) as int) as price
    from prices
    """,
    name="parts",
)
total = ws.sql("select sum(price) as total from parts", name="total")
print("in doubt:", total.caveats.marks().column("total").to_pylist())
for group in total.caveats.list(row=0, column="total"):
    print(f"{group.count} x {group.family} from {group.made_by}: {', '.join(group.messages)}")
    total.caveats.acknowledge(group, note="all our suppliers quote dollars")
print("in doubt now:", total.caveats.marks().column("total").to_pylist())

doubted = parts.caveat("part = 'pin'", "price", "the price list is from last year")
doubted.caveats.report("parts.html")
print("report:", [(group.message, group.acknowledged) for group in doubted.caveats.list(row=3)])
