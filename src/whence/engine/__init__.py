"""The only place that speaks to Spark: session, plan reader and writer, running, errors."""
