"""A report that is written in SQL over temporary views, and a table of the catalog made from it."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("SQL report").getOrCreate()
spark.read.csv(sys.argv[1] + "/orders.csv", header=True, inferSchema=True).createOrReplaceTempView("orders")
spark.read.csv(sys.argv[1] + "/customers.csv", header=True, inferSchema=True).createOrReplaceTempView("customers")

report = spark.sql("""
    WITH spent AS (
        SELECT customer_id, SUM(quantity * price) AS amount, COUNT(*) AS orders
        FROM orders WHERE price IS NOT NULL GROUP BY customer_id
    ), people AS (SELECT DISTINCT customer_id, name, city FROM customers)
    SELECT p.city, COUNT(*) AS customers, ROUND(SUM(s.amount), 2) AS amount
    FROM people p JOIN spent s ON p.customer_id = s.customer_id
    WHERE s.amount > (SELECT AVG(amount) FROM spent)
    GROUP BY p.city HAVING COUNT(*) > 0 ORDER BY p.city NULLS LAST
""")
report.show()
spark.sql("DROP TABLE IF EXISTS program_city_report")
report.write.mode("overwrite").saveAsTable("program_city_report")

for row in spark.table("program_city_report").orderBy("city").collect():
    print(row["city"], row["customers"], row["amount"])

quiet = spark.sql("""
    SELECT DISTINCT c.customer_id FROM customers c LEFT ANTI JOIN orders o ON o.customer_id = c.customer_id
    UNION SELECT customer_id FROM orders GROUP BY customer_id HAVING COUNT(*) < 3 ORDER BY 1
""")
quiet.write.mode("overwrite").csv(sys.argv[2] + "/quiet", header=True)
