"""Runs two cells as Jupyter does, and prints what a reader sees of the second one."""

import re
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import whence

Path("parts.csv").write_text("part,n\nbolt,4\nnut,1\nbolt,6\n")
shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
shell.push({"file": str(Path("parts.csv").resolve())})
shell.run_cell("%load_ext whence")
out = shell.run_cell("""%%whence --workspace shop.whence
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
parts = spark.read.csv(file, header=True, inferSchema=True)
sums = parts.groupBy("part").sum("n").orderBy("part")
sums
""").result
assert isinstance(out, whence.Dataset)
print(out)
html = shell.display_formatter.format(out)[0]["text/html"]
print(*re.findall(r"<th>(line \d)</th><td>(\w+)</td><td[^>]*>(\d+)</td>", html), sep="\n")  # behind row 0, then row 1
