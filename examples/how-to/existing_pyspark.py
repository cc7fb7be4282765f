from pyspark.sql import SparkSession
from pyspark.sql import functions as f

import whence

spark = SparkSession.builder.getOrCreate()  # the session that your program has already
orders = spark.createDataFrame([("Oslo", 120), ("Bergen", 80), ("Oslo", 95)], "shop string, amount int")
orders.write.mode("overwrite").option("header", True).csv("orders")

# Your code, unchanged.
read = spark.read.csv("orders", header=True, schema="shop string, amount int")
large = read.where("amount > 90")
result = large.groupBy("shop").agg(f.count("*").alias("n"), f.max("amount").alias("most"))

kept = whence.adopt(result, name="large_orders", workspace="shop.whence")
print(kept.to_arrow().to_pylist())
print(sorted(kept.lineage.backward([0], to="orders").to_arrow().column("amount").to_pylist()))
print(kept.lineage.exact)
