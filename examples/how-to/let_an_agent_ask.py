from pathlib import Path

import anyio
from mcp import Client

import whence
from whence.mcp.context import ToolContext
from whence.mcp.protocol import build_server

Path("orders.csv").write_text("shop,amount\nOslo,120\nBergen,80\nOslo,95\nOslo,n/a\n")


async def ask(ws):
    """Ask as an agent does."""
    async with Client(build_server(ToolContext.alone(ws, is_read_only=True))) as agent:
        for tool, question in {
            "list_datasets": {},
            "verify_claim": {"dataset": "totals", "where": "shop = 'Oslo'", "column": "total", "value": 215},
            "where_from": {"dataset": "totals", "where": {"shop": "Oslo"}, "column": "total"},
            "what_if": {"dataset": "totals", "source": "orders", "where": "amount > 100"},
        }.items():
            answer = await agent.call_tool(tool, question)
            text = answer.content[0].text.replace(str(ws.path), "shop.whence")  # wherever it lies
            print(f"{tool}:", *text.splitlines(), sep="\n  ")


with whence.open("shop.whence") as ws:
    ws.load("orders.csv", name="orders")
    ws.sql("select shop, sum(amount) as total from orders group by shop order by shop", name="totals")
    anyio.run(ask, ws)
