import whence
from whence.charts.grammar import aes, facet, geom, layer, scale, stat

ws = whence.open("grammar.whence")
rows = [(shop, day, day * 3.0 + len(shop)) for shop in ("north", "south") for day in range(1, 31)]
sales = ws.create("sales", rows, schema="shop string, day int, amount double")

spec = (
    aes(x="day", y="amount")
    + layer(geom("point"))
    + layer(stat("smooth", method="linear"), geom("errorband"))
    + scale("y", zero=True)
    + facet(wrap="shop")
)
print(spec.json)
print(whence.chart(sales, spec).marks)
for each in sales.suggest_charts():
    print(each.why)
try:
    whence.chart(sales, {"aes": {"x": "day"}, "stat": {"type": "bin", "bin": 10}})
except whence.WhenceError as error:
    print(error)
