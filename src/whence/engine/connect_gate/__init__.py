"""The gate between Python cells and Spark Connect: it lets through what computes over the datasets of a cell."""
