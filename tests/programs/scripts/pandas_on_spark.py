"""The pandas API on Spark: groups, a merge and a file of Parquet."""

import sys
import warnings

warnings.filterwarnings("ignore")

import pyspark.pandas as ps  # noqa: E402

orders = ps.read_csv(sys.argv[1] + "/orders.csv")
orders["total"] = orders["quantity"] * orders["price"]
totals = orders.groupby("product")["total"].sum().sort_index()
print(totals.round(2).to_pandas().to_dict())

large = orders[orders["total"] > 15000][["order_id", "product", "total"]].sort_values("order_id")
print(len(large.to_pandas()))
large.to_parquet(sys.argv[2] + "/large_orders")
