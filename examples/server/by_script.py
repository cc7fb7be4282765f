"""Everything the page does can be done by a script: the server's API is the same for both."""

import re
import subprocess
import sys
from pathlib import Path

from whence.client import Client

Path("prices.csv").write_text("part,price\nbolt,1.50\nnut,call us\nwire,7\nscrew,0.25\n")
command = [sys.executable, "-m", "whence", "serve", "shop.whence", "--port", "0", "--no-browser"]
server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
assert server.stdout is not None
link = re.search(r"http://\S+", server.stdout.readline())
assert link is not None

try:
    client = Client.from_link(link.group())
    client.make_notebook(name="shop")
    for _ in range(2):  # a command that comes twice takes effect once
        values = {"source": "prices.csv", "name": "prices"}
        client.add_cell("shop", kind="load", values=values, command_id="first")
    for cell in client.wait("shop").cells:
        print(cell.kind, cell.status, *(f"{made.name}: {made.rows} rows" for made in cell.datasets))

    page = client.read_page("prices")
    for row, marks in zip(page.rows, page.marks, strict=True):
        print(row, "<- doubtful" if marks else "")

    sheet = client.make_sheet(dataset="prices").id
    client.do_operation(sheet, operation="set", arguments={"row": 1, "column": "price", "value": 4})
    print(client.read_sheet_page(sheet).rows[1])

    shared = client.make_share("shop", days=7)  # for a colleague: to look at, nothing else
    assert shared.link is not None
    view = Client.from_link(shared.link).read_notebook("shop")
    print("version", view.version, "for reading only" if view.is_read_only else "")
finally:
    server.terminate()
    server.communicate()
