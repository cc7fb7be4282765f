import random

import whence

ws = whence.open("radial.whence")
chance = random.Random(4)
rows = [
    (shop, skill, chance.randint(1, 9)) for shop in ("north", "south") for skill in ("price", "staff", "stock", "view")
]
grades = ws.create("grades", rows, schema="shop string, skill string, grade int")

radar = grades.chart({"aes": {"x": "skill", "y": "grade", "color": "shop"}, "geom": "radial_line"})
print(radar.marks.to_arrow().to_pylist()[0])
print(radar.marks.lineage.backward([0], to="grades").ids.tolist())

gusts = [(chance.choice(range(0, 360, 30)), chance.uniform(2, 20)) for _ in range(300)]
wind = ws.create("wind", gusts, schema="degrees int, speed double")
turn = wind.chart({"aes": {"x": "degrees", "y": "speed"}, "stat": "mean", "geom": {"type": "radial_area", "turn": 360}})
print(len(turn.marks.to_arrow()), "directions")
