import whence

# Ten days of sales in four shops; on the last two days the till in Bergen counts every sale ten times.
SHOPS = ["Oslo", "Bergen", "Tromsø", "Molde"]
rows = [
    (day, SHOPS[sale % 4], 9 + sale % 9, 10.0 + (sale * 7 + day) % 5 + (90 if day > 7 and sale % 4 == 1 else 0))
    for day in range(10)
    for sale in range(120)
]

with whence.open("shop.whence") as ws:
    ws.create("sales", rows, schema="day int, shop string, hour int, amount double")
    daily = ws.sql("select day, avg(amount) as mean from sales group by day order by day", name="daily")
    found = whence.explain(daily, column="mean", outliers=[8, 9], holdouts="others", direction="high")
    print(found[0].predicate.sql)
    print(found[0].sentence)
    print(found[0].rows.count, "rows match")
