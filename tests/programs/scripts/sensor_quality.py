"""Statistics of sensor readings: what is kept in memory is used several times."""

import sys

from pyspark import StorageLevel
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("sensors").config("spark.sql.shuffle.partitions", "4").getOrCreate()
readings = spark.read.parquet(sys.argv[1] + "/readings").persist(StorageLevel.MEMORY_AND_DISK)
print(readings.count(), "readings")

stats = readings.groupBy("sensor", "kind").agg(
    F.min("celsius").alias("least"), F.max("celsius").alias("most"), F.expr("percentile(celsius, 0.5)").alias("middle")
)
stats.orderBy("sensor", "kind").show(5)

limits = stats.groupBy("kind").agg(F.avg("middle").alias("normal"))
odd = readings.join(F.broadcast(limits), "kind").where(F.abs(F.col("celsius") - F.col("normal")) > 4.9)
odd.orderBy("at").write.mode("overwrite").parquet(sys.argv[2] + "/odd_readings")

days = readings.groupBy(F.to_date("at").alias("day")).agg(F.avg("celsius").alias("celsius")).orderBy("day")
days.write.mode("overwrite").option("header", True).csv(sys.argv[2] + "/days")
wet = readings.rollup("kind", "sensor").count().where("sensor is null").orderBy(F.col("kind").asc_nulls_last())
wet.show()
readings.unpersist()
