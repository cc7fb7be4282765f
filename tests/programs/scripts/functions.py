"""Python functions over rows, and pandas functions over columns and groups."""

import sys

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.functions import avg, col, pandas_udf, udf
from pyspark.sql.types import StringType


@udf(returnType=StringType())
def size_of(quantity):
    if quantity is None:
        return "none"
    return "large" if quantity > 5 else "small"


@pandas_udf("double")
def with_tax(price: pd.Series) -> pd.Series:
    return price * 1.25


def centred(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(price=rows["price"] - rows["price"].mean())


spark = SparkSession.builder.appName("functions").getOrCreate()
orders = spark.read.csv(sys.argv[1] + "/orders.csv", header=True, inferSchema=True)

priced = orders.na.drop().withColumn("size", size_of("quantity")).withColumn("gross", with_tax(col("price")))
sizes = priced.groupBy("size").agg(avg("gross").alias("gross")).orderBy("size")
for row in sizes.collect():
    print(row["size"], round(row["gross"], 4))

cheap = priced.where(col("gross") < 60).select("order_id", "size", "gross").orderBy("order_id")
cheap.write.mode("overwrite").parquet(sys.argv[2] + "/cheap")

few = orders.where("order_id < 40 and price is not null").select("order_id", "product", "price")
groups = few.groupBy("product").applyInPandas(centred, schema="order_id int, product string, price double")
groups.orderBy("order_id").show(5)
