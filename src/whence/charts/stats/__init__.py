"""Stats, one file each: a query over a layer's rows. A new stat also needs a line in the registry."""
