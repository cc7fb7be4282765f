"""The workspace folder: meta.db, dataset versions in Parquet, index arrays and source files. No Spark in here."""
