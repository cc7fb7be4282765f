"""Tables from lists, rows and pandas, joined and completed."""

import sys

import pandas as pd
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("small tables").getOrCreate()

people = spark.createDataFrame([(1, "Ada", 36), (2, "Bob", None), (3, "Cy", 41)], ["id", "name", "age"])
visits = spark.createDataFrame([Row(id=1, city="Oslo"), Row(id=1, city="Ulm"), Row(id=3, city="Jena")])
cities = spark.createDataFrame(pd.DataFrame({"city": ["Oslo", "Ulm", "Jena"], "people": [700, 130, 110]}))

known = people.fillna({"age": 0}).join(visits, "id", "left").join(cities, "city", "left").orderBy("id", "city")
known.show()
frame = known.toPandas()
print(frame.shape, sorted(frame.columns))

more = people.union(spark.createDataFrame([(4, "Di", 29)], people.schema)).withColumn("adult", F.col("age") >= 18)
more.orderBy("id").write.mode("overwrite").json(sys.argv[2] + "/people")
numbers = spark.range(10).withColumn("square", F.col("id") * F.col("id")).filter("square % 2 = 0")
print([row.square for row in numbers.orderBy("id").collect()])
