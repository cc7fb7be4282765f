"""The three best days of each product, with changes against the day before."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.window import Window

spark = SparkSession.builder.getOrCreate()
orders = spark.read.csv(f"{sys.argv[1]}/orders.csv", header=True, inferSchema=True).dropna()

daily = orders.groupBy("product", "day").agg(F.sum("quantity").alias("sold"))
in_time = Window.partitionBy("product").orderBy("day")
best = Window.partitionBy("product").orderBy(F.desc("sold"), "day")
ranked = (
    daily.withColumn("before", F.lag("sold").over(in_time))
    .withColumn("change", F.col("sold") - F.col("before"))
    .withColumn("running", F.sum("sold").over(in_time.rowsBetween(Window.unboundedPreceding, Window.currentRow)))
    .withColumn("place", F.row_number().over(best))
)
top = ranked.filter("place <= 3").orderBy("product", "place")
top.show(30, False)
table = top.select("product", "day", "sold", "change").toPandas()
print(table.groupby("product")["sold"].max().to_dict())
ranked.orderBy("product", "day").repartition(2).write.mode("overwrite").orc(f"{sys.argv[2]}/ranked")
