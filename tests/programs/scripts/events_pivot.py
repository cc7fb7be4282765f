"""Flattens nested events, and counts items by product and device as a pivot table."""

import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, explode, size, sum

spark = SparkSession.builder.appName("events").getOrCreate()
events = spark.read.json(os.path.join(sys.argv[1], "events.jsonl"))

items = (
    events.where(size("items") > 0)
    .withColumn("item", explode("items"))
    .select("event_id", col("user.device").alias("device"), col("item.sku").alias("sku"), col("item.n").alias("n"))
)
pivot = items.groupBy("sku").pivot("device", ["desktop", "phone", "tablet"]).agg(sum("n")).na.fill(0).orderBy("sku")
pivot.show()
pivot.write.mode("overwrite").parquet(os.path.join(sys.argv[2], "items_by_device"))

heavy = items.groupBy("event_id").agg(sum("n").alias("n")).where("n >= 8").orderBy(col("n").desc(), "event_id")
print(heavy.toPandas().head().to_string(index=False))
