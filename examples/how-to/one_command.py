from pathlib import Path

from whence.cli.main import app

Path("orders.csv").write_text("shop,amount\nOslo,120\nBergen,80\nOslo,95\nOslo,n/a\n")


def whence(*arguments: str) -> None:
    """Do what a command does in a terminal."""
    print("$ whence", *(f'"{each}"' if " " in each else each for each in arguments))
    app(arguments, standalone_mode=False)


whence("load", "shop.whence", "orders.csv")
whence("sql", "shop.whence", "select shop, sum(amount) as total from orders group by 1 order by 1", "--name", "totals")
whence("trace", "shop.whence", "totals", "1", "total")
whence("caveats", "shop.whence", "totals")
