"""Cleans customers, joins their orders, and writes a table partitioned by city that later steps read."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, DoubleType, IntegerType, StringType, StructField, StructType

CUSTOMERS = StructType(
    [
        StructField("customer_id", IntegerType(), False),
        StructField("name", StringType()),
        StructField("city", StringType()),
        StructField("joined", DateType()),
    ]
)
ORDERS = StructType(
    [
        StructField("order_id", IntegerType()),
        StructField("customer_id", IntegerType()),
        StructField("day", DateType()),
        StructField("product", StringType()),
        StructField("quantity", IntegerType()),
        StructField("price", DoubleType()),
    ]
)


def extract(spark, folder):
    customers = spark.read.csv(folder + "/customers.csv", schema=CUSTOMERS, header=True)
    orders = spark.read.csv(folder + "/orders.csv", schema=ORDERS, header=True)
    return customers, orders


def transform(customers, orders):
    clean = customers.dropDuplicates().fillna({"city": "unknown"})
    spent = (
        orders.na.drop(subset=["price"])
        .groupBy("customer_id")
        .agg(F.count("order_id").alias("orders"), F.sum(F.col("quantity") * F.col("price")).alias("spent"))
    )
    joined = clean.join(spent, on="customer_id", how="left").fillna(0, subset=["orders", "spent"])
    return joined.withColumn(
        "level", F.when(F.col("spent") > 50000, "gold").when(F.col("spent") > 20000, "silver").otherwise("basic")
    )


def main():
    spark = SparkSession.builder.appName("customers").getOrCreate()
    folder, out = sys.argv[1], sys.argv[2]
    customers, orders = extract(spark, folder)
    result = transform(customers, orders)
    result.write.mode("overwrite").partitionBy("city").parquet(out + "/customer_levels")

    stored = spark.read.parquet(out + "/customer_levels")
    levels = stored.groupBy("city", "level").count().orderBy("city", "level")
    levels.show(50)
    levels.write.mode("overwrite").parquet(out + "/levels")


if __name__ == "__main__":
    main()
