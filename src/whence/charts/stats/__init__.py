"""Statistics, one file each: a query over a layer's rows, and a line in the registry."""
