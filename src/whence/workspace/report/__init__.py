"""A notebook as one file for someone without whence: text, tables, charts, and behind every number where it is from."""
