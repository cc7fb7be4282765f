"""Monthly sales by product, as a table on the screen and one CSV file."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, date_format, round, sum, to_date

data, out = sys.argv[1], sys.argv[2]

spark = SparkSession.builder.appName("Sales report").getOrCreate()

orders = spark.read.option("header", "true").option("inferSchema", "true").csv(data + "/orders.csv")
orders.printSchema()

sales = orders.filter(col("price").isNotNull()).withColumn("total", col("quantity") * col("price"))
monthly = (
    sales.withColumn("month", date_format(to_date("day"), "yyyy-MM"))
    .groupBy("month", "product")
    .agg(round(sum("total"), 2).alias("total"))
    .orderBy("month", col("total").desc(), "product")
)

monthly.show(10, truncate=False)
monthly.coalesce(1).write.mode("overwrite").option("header", True).csv(out + "/monthly_sales")

spark.stop()
