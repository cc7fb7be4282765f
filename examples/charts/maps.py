import whence

ws = whence.open("maps.whence")
rows = [("FR", 2.3, 48.9, 5.0), ("FR", 5.4, 43.3, 3.0), ("Germany", 13.4, 52.5, 8.0), ("ITA", 12.5, 41.9, 2.0),
        ("724", -3.7, 40.4, 4.0), ("Malta", 14.5, 35.9, 1.0)]  # fmt: skip
shops = ws.create("shops", rows, schema="country string, longitude double, latitude double, sales double")

countries = shops.chart({"aes": {"x": "country", "color": "sales"}, "geom": "map_country"})
print(countries.marks.to_arrow().to_pylist()[1])
print(countries.marks.lineage.backward([1], to="shops").ids.tolist())
print(countries.notes)

places = shops.chart({"aes": {"x": "longitude", "y": "latitude", "size": "sales"}, "geom": "map_point"})
places.save("places.json")
