import random

import whence

# Five days of sales; on the last two, the till in Boston charges ten times too much in the afternoon.
random.seed(7)
rows = []
for day in range(5):
    for _ in range(200):
        shop, hour = random.choice(["Boston", "Austin", "Denver"]), random.randint(9, 17)
        price = random.uniform(5, 15) * (10 if day >= 3 and shop == "Boston" and hour >= 13 else 1)
        rows.append((day, shop, hour, round(price, 2)))

with whence.open("explain.whence") as ws:
    ws.create("sales", rows, schema="day int, shop string, hour int, price double")
    daily = ws.sql("select day, avg(price) as mean from sales group by day order by day", name="daily")
    print(daily.to_pandas().round(1).to_string(index=False))

    found = whence.explain(daily, column="mean", outliers=[3, 4], holdouts=[0, 1, 2], direction="high")
    for answer in found:
        print(f"c {answer.c_range[0]:.2f} to {answer.c_range[1]:.2f}: {answer.predicate.sql}")
    print(found[0].sentence)

    clean = found[0].as_filter("clean")  # the answer as a dataset, with its own lineage
    print(clean, "from", daily.parents()[0])
