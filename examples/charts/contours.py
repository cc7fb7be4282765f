import random

import whence

ws = whence.open("contours.whence")
chance = random.Random(4)
rows = [(chance.gauss(3 * (n % 2), 1), chance.gauss(n % 2, 1)) for n in range(400)]
visits = ws.create("visits", rows, schema="minutes double, profit double")

contours = visits.chart({"aes": {"x": "minutes", "y": "profit"}, "stat": {"type": "contour", "levels": 5}})
print(contours.marks.to_arrow()["size"].to_pylist(), "rows between the lines")
highest = len(contours.marks.to_arrow()) - 1
print(contours.marks.lineage.backward([highest], to="visits").count, "rows within the highest")
print(contours.notes)
