"""Adds new orders to those of an earlier run, with options of the command line and a log."""

import argparse
import logging
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
log = logging.getLogger("late_orders")


def read_orders(spark: SparkSession, path: str) -> DataFrame:
    return spark.read.format("csv").options(header=True, inferSchema=True).load(path)


def new_rows(all_orders: DataFrame, known: DataFrame) -> DataFrame:
    return all_orders.join(known, on="order_id", how="left_anti")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("out")
    parser.add_argument("--until", default="2024-04-01")
    arguments = parser.parse_args()

    spark = SparkSession.builder.appName("late orders").getOrCreate()
    orders = read_orders(spark, arguments.data + "/orders.csv")
    early = orders.where(F.col("day") < arguments.until).select("order_id", "day", "quantity")
    early.write.mode("overwrite").parquet(arguments.out + "/known")

    known = spark.read.parquet(arguments.out + "/known")
    late = new_rows(orders.select("order_id", "day", "quantity"), known)
    together = known.withColumn("is_late", F.lit(False)).unionByName(late.withColumn("is_late", F.lit(True)))
    together.write.mode("overwrite").parquet(arguments.out + "/orders_together")

    summary = (
        spark.read.parquet(arguments.out + "/orders_together").groupBy("is_late").agg(F.sum("quantity").alias("n"))
    )
    found = {row["is_late"]: row["n"] for row in summary.collect()}
    print(found[False], found[True])
    if not found.get(True):
        log.error("nothing was late")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
