import random

import whence

ws = whence.open("kinds.whence")
chance = random.Random(4)
rows = [(shop, chance.gauss(place, 1), chance.gauss(place, 2)) for place, shop in enumerate("abc") for _ in range(200)]
visits = ws.create("visits", rows, schema="shop string, minutes double, profit double")

hexagons = visits.chart({"aes": {"x": "minutes", "y": "profit"}, "stat": {"type": "hexbin", "bins": 15}})
most = max(range(len(hexagons.marks.to_arrow())), key=lambda mark: hexagons.marks.to_arrow()["color"][mark].as_py())
print(hexagons.marks.lineage.backward([most], to="visits").count, "rows in the fullest hexagon")

steps = visits.chart({"aes": {"x": "shop", "y": "profit"}, "geom": "waterfall"})
print([(row["x"], round(row["y"])) for row in steps.marks.to_arrow().to_pylist()])

donut = visits.chart({"aes": {"color": "shop"}, "geom": {"type": "pie", "inner": 0.6}})
link = whence.link([donut, hexagons])
print(link.brush(hexagons, marks=[most])[donut].to_pylist())
