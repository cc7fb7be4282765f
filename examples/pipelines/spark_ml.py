"""Code that never heard of pipelines: Spark ML and pandas on Spark, and still every value has a history."""

from pyspark.ml.feature import StandardScaler, StringIndexer, VectorAssembler

import whence

ws = whence.open("spark_ml.whence")
people = ws.create(
    "people",
    [("nurse", 34.0, 2100.0), ("cook", 51.0, None), ("nurse", 29.0, 1900.0)],
    schema="job string, age double, pay double",
)

# pandas on Spark, as it is written everywhere.
frame = people.df.pandas_api()
known = ws.dataset(frame.fillna({"pay": 0.0}).assign(per_year=frame.pay / frame.age), name="known")

# Spark ML: fit, transform, keep.
indexed = StringIndexer(inputCol="job", outputCol="job_index").fit(known.df).transform(known.df)
vectors = VectorAssembler(inputCols=["age", "pay", "job_index"], outputCol="features").transform(indexed)
features = ws.dataset(vectors, name="features")
scaler = StandardScaler(inputCol="features", outputCol="z").fit(features.df)
scaled = ws.dataset(scaler.transform(features.df), name="z")

q = whence.Pipeline.from_dataset(scaled).provenance
for operation in q.transformations():
    print(operation)
print([(ref.row, ref.column, ref.value) for ref in q.why(1, "z")])
ws.close()
