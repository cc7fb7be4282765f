"""Predicts from what customers bought whether they spend much: a pipeline of Spark ML."""

import sys

from pyspark.ml import Pipeline
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import StandardScaler, StringIndexer, VectorAssembler
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("churn").getOrCreate()
orders = spark.read.csv(sys.argv[1] + "/orders.csv", header=True, inferSchema=True).dropna()
customers = spark.read.csv(sys.argv[1] + "/customers.csv", header=True, inferSchema=True).dropDuplicates()

features = (
    orders.groupBy("customer_id")
    .agg(F.count("*").alias("n"), F.avg("quantity").alias("quantity"), F.avg("price").alias("price"))
    .join(customers.na.fill("none", ["city"]), "customer_id")
    .withColumn("label", (F.col("n") > 20).cast("double"))
)
train = features.where("customer_id % 5 != 0")
test = features.where("customer_id % 5 = 0")

pipeline = Pipeline(
    stages=[
        StringIndexer(inputCol="city", outputCol="city_index", handleInvalid="keep"),
        VectorAssembler(inputCols=["quantity", "price", "city_index"], outputCol="raw"),
        StandardScaler(inputCol="raw", outputCol="features"),
        LogisticRegression(maxIter=5, regParam=0.1),
    ]
)
model = pipeline.fit(train)
predictions = model.transform(test).select("customer_id", "label", "prediction").orderBy("customer_id")
predictions.show(10)
print("rows tested:", test.count())
predictions.write.mode("overwrite").parquet(sys.argv[2] + "/predictions")

training, holdout = features.select("customer_id", "n").randomSplit([0.8, 0.2], seed=42)
holdout.orderBy("customer_id").write.mode("overwrite").csv(sys.argv[2] + "/holdout")
