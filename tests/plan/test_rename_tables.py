"""Tables get other names where a query reads them, and nowhere else."""

from __future__ import annotations

import pytest

from whence.plan.rename_tables import rename_tables

NAMES = {"prices": "costs", "b": "my b"}


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("select prices.price, prices from prices", "select costs.price, prices from costs"),
        ("select p.x from prices p join b as q on p.x = q.x", "select p.x from costs p join `my b` as q on p.x = q.x"),
        ("select * from t, Prices where x = 1", "select * from t, costs where x = 1"),
        ("select * from `prices` where `prices`.x in (select y from b)",
         "select * from `costs` where `costs`.x in (select y from `my b`)"),
        ("select * from (prices join b on prices.x = b.x)", "select * from (costs join `my b` on costs.x = `my b`.x)"),
        ("from prices |> join b on b.y = prices.x", "from costs |> join `my b` on `my b`.y = costs.x"),
        ("select 1 from range(9) union select * from prices", "select 1 from range(9) union select * from costs"),
        ("select (select max(prices) from prices) prices", "select (select max(prices) from costs) prices"),
        ("select 'from prices' -- from prices\nfrom prices", "select 'from prices' -- from prices\nfrom costs"),
    ],
)  # fmt: skip
def test_tables_and_their_qualifiers_get_the_new_name(text: str, renamed: str) -> None:
    assert rename_tables(text, NAMES) == renamed


@pytest.mark.parametrize(
    "text",
    [
        "with prices as (select * from prices) select * from prices",
        "select extract(year from prices) from t",
        "select x is distinct from prices from t",
        "select prices.x from parts prices",
        "select prices.x from (select 1 x) prices",
        "select * from default.prices",
        "select * from prices(3)",
        "select * from identifier('pri' || 'ces'), prices",
    ],
)
def test_other_things_of_that_name_stay(text: str) -> None:
    assert rename_tables(text, NAMES) == text
