"""Everything the page does can be done by a script: the server's API is the same for both."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

Path("prices.csv").write_text("part,price\nbolt,1.50\nnut,call us\nwire,7\nscrew,0.25\n")
command = [sys.executable, "-m", "whence", "serve", "shop.whence", "--port", "0", "--no-browser"]
server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
assert server.stdout is not None
link = re.search(r"(http://[^/]+)/login\?token=(\S+)", server.stdout.readline())
assert link is not None
address, token = link.groups()


def call(path: str, body: object = None) -> Any:
    """GET, or POST if there is a body; the token of the printed link is the credential."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address + path, data, headers)) as answer:
        return json.load(answer)


try:
    call("/api/notebooks", {"name": "shop"})
    load = {"kind": "load", "values": {"source": "prices.csv", "name": "prices"}, "command_id": "first"}
    call("/api/notebooks/shop/cells", load)
    call("/api/notebooks/shop/cells", load)  # a command that comes twice takes effect once
    while (cell := call("/api/notebooks/shop")["cells"][0])["status"] in ("waiting", "running"):
        time.sleep(0.1)
    print(cell["kind"], cell["status"], cell["datasets"])

    page = call("/api/datasets/prices/page")
    for row, marks in zip(page["rows"], page["marks"], strict=True):
        print(row, "<- doubtful" if marks else "")

    sheet = call("/api/sheets", {"dataset": "prices"})["id"]
    call(
        f"/api/sheets/{sheet}/operations", {"operation": "set", "arguments": {"row": 1, "column": "price", "value": 4}}
    )
    print(call(f"/api/sheets/{sheet}/page")["rows"][1])
finally:
    server.terminate()
    server.communicate()
