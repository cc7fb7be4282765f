"""Requests and errors by page and hour, from the log of a web server."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

if __name__ == "__main__":
    spark = SparkSession.builder.appName("web log").getOrCreate()
    lines = spark.read.text(sys.argv[1] + "/access.log")
    pattern = r'^(\S+) \[([^\]]+)\] "GET (\S+)" (\d+)$'
    log = lines.select(
        F.regexp_extract("value", pattern, 1).alias("ip"),
        F.to_timestamp(F.regexp_extract("value", pattern, 2)).alias("at"),
        F.regexp_extract("value", pattern, 3).alias("page"),
        F.regexp_extract("value", pattern, 4).cast("int").alias("status"),
    ).cache()

    print("requests:", log.count())
    by_status = log.groupBy("status").count().orderBy("status")
    by_status.show()

    hourly = (
        log.groupBy(F.hour("at").alias("hour"), "page")
        .agg(
            F.count("*").alias("requests"),
            F.sum(F.when(F.col("status") >= 500, 1).otherwise(0)).alias("errors"),
            F.countDistinct("ip").alias("visitors"),
        )
        .orderBy("hour", "page")
    )
    hourly.write.mode("overwrite").json(sys.argv[2] + "/hourly")
    for row in hourly.filter(F.col("errors") > 0).collect():
        print(row.hour, row.page, row.errors)
    log.unpersist()
