import subprocess
import sys
from pathlib import Path

import whence

Path("parts.csv").write_text("part,price\nbolt,1.5\nnut,call us\nnail,7\nrod,2\n")

with whence.open("shop.whence") as ws:  # a notebook as a file: text that git can compare
    nb = ws.notebook("prices")
    nb.append("load", source="parts.csv", name="parts")
    nb.append("export", source="parts", path="parts.json")
    nb.wait()
    nb.export("prices.notebook")

command = [
    "whence",
    "run",
    "prices.notebook",
    "--workspace",
    "nightly.whence",
    "--strict",
]  # strict: fail on doubt, too
done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
print("$", *command)
print(done.stdout, end="")
print("exit code", done.returncode)
