from __future__ import annotations

from pathlib import Path

import pytest

import whence
from tests.mcp.conversation import Conversation, talk_about

ORDERS = (
    "town,year,amount\n" + "".join(f"Ulm,2024,{n}\n" for n in range(9)) + "Ulm,2023,x\nBonn,2024,7\nBonn,2023,2.5\n"
)
TOTALS = "select town, sum(amount) as total, count(*) as n from orders where year = 2024 or town = 'Ulm' group by town"


@pytest.fixture
def orders(ws: whence.Workspace, tmp_path: Path) -> Conversation:
    """A conversation about a file with one value that does not fit, and totals by town over most of its lines."""
    file = tmp_path / "orders.csv"
    file.write_text(ORDERS)
    ws.load(file, name="orders")
    ws.sql(f"{TOTALS} order by town", name="totals")
    return talk_about(ws)
