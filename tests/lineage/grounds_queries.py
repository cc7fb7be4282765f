"""Queries that write values themselves, and honest ones; what each cell stands on is written by hand.

An answer names the columns with written cells, one sign for each row: `w` written, `p` partly written, `.` data.
"""

from __future__ import annotations

ORDERS = [
    (1, "east", 2, 10.0, "2024-01-05"),
    (2, "east", 1, 20.0, "2024-02-05"),
    (3, "west", 5, 7.5, "2024-02-06"),
    (4, "west", None, 3.0, "2024-03-01"),
    (5, "north", 3, 40.0, "2024-03-02"),
]
ORDERS_SCHEMA = "id int, region string, qty int, price double, day string"
GOALS = [("east", 100), ("west", 50)]
GOALS_SCHEMA = "region string, goal int"

PARENTS = {
    "fakes": "select * from values ('east', 142050), ('south', 99000) as f(region, sales)",
    "mixed": "select region, price as sales from orders union all select 'south', 99000.0",
    "scored": "select id, region, 142050 as bonus from orders order by id",
    "labelled": "select id, qty, case when qty > 2 then 'many' else 'few' end as size, 2024 as year from orders",
}
"""Queries that other queries read, by the name of their dataset."""

Answer = dict[str, str]

POISONED: dict[str, tuple[str, Answer]] = {
    "constants": ("select 'US-East' as r, 142050 as s", {"r": "w", "s": "w"}),
    "union of constants": (
        "select 'US-East' as r, 142050 as s union all select 'US-West', 99000",
        {"r": "ww", "s": "ww"},
    ),
    "values": ("select * from values ('a', 1), ('b', 2) as v(k, n)", {"k": "ww", "n": "ww"}),
    "values in order": ("select n from values (3), (1), (2) as v(n) order by n limit 2", {"n": "ww"}),
    "cte": ("with v as (select 142050 as s) select s from v where s > 0", {"s": "w"}),
    "sum with defaults": (
        "select region, sum(coalesce(qty, 77)) as s, avg(nvl(qty, 30)) as a from orders group by region order by 1",
        {"s": "..p", "a": "..p"},
    ),
    "sum with defaults below": (
        "select sum(q) as s from (select ifnull(qty, 77) as q, region from orders) where region = 'west'",
        {"s": "p"},
    ),
    "sum of defaults only": ("select sum(nvl(qty, 77)) as s from orders where qty is null", {"s": "w"}),
    "arithmetic of constants": ("select s + 1 as t from (select 142050 as s)", {"t": "w"}),
    "groups of values": (
        "select k, sum(n) as s from values ('a', 1), ('a', 5), ('b', 2) as v(k, n) group by k order by k",
        {"k": "ww", "s": "ww"},
    ),
    "count of values": ("select count(*) as n from values (1), (2) as v(x)", {"n": "w"}),
    "window over values": (
        "select x, sum(x) over () as t, row_number() over (order by x) as n from values (10), (20) as v(x) order by x",
        {"x": "ww", "t": "ww", "n": "ww"},
    ),
    "range": ("select id from range(2)", {"id": "ww"}),
    "explode of constants": ("select explode(array(142050, 99000)) as s", {"s": "ww"}),
    "stack of constants": ("select stack(2, 'a', 142050, 'b', 99000) as (k, s)", {"k": "ww", "s": "ww"}),
    "distinct union": ("select 142050 as s union select 142050", {"s": "w"}),
    "data and constants": (
        "select * from (select region, qty from orders where id <= 2 union all select 'south', 142050) order by qty",
        {"region": "..w", "qty": "..w"},
    ),
    "distinct data and constants": (
        "select * from (select qty from orders where id <= 2 union select 142050) order by qty",
        {"qty": "..w"},
    ),
    "filter over data and constants": (
        "select * from (select qty from orders union all select 142050) where qty > 3 order by qty",
        {"qty": ".w"},
    ),
    "constant beside rows": ("select id, 142050 as bonus from orders order by id", {"bonus": "wwwww"}),
    "decimal beside rows": ("select id, 0.25 as rate from orders where id < 3", {"rate": "ww"}),
    "negative beside rows": ("select -142050 as loss from orders where id < 3", {"loss": "ww"}),
    "cast beside rows": ("select cast('142050' as double) as s from orders where id < 3", {"s": "ww"}),
    "computed constant beside rows": ("select round(100 * 1420.55, 1) as s from orders where id = 1", {"s": "w"}),
    "greatest of constants": ("select greatest(142050, 99000) as s from orders where id = 1", {"s": "w"}),
    "distinct constant": ("select distinct 142050 as s from orders", {"s": "w"}),
    "constants over two branches": (
        "select id, 500 as n from orders where id = 1 union all select id, 700 from orders where id = 2",
        {"n": "ww"},
    ),
    "case table": (
        "select id, case region when 'east' then 142050 when 'west' then 99000 end as s from orders order by id",
        {"s": "wwww."},
    ),
    "case table with else": (
        "select case when price > 15 then 142050.5 else 0 end as s from orders order by id",
        {"s": "wwwww"},
    ),
    "if table": ("select if(region = 'east', 142050, 99000) as s from orders order by id", {"s": "wwwww"}),
    "decode table": (
        "select decode(region, 'east', 142050, 'west', 99000) as s from orders order by id",
        {"s": "wwww."},
    ),
    "map table": ("select map('east', 142050, 'west', 99000)[region] as s from orders order by id", {"s": "wwww."}),
    "element of a map": (
        "select element_at(map('east', 142050, 'west', 99000), region) as s from orders order by id",
        {"s": "wwww."},
    ),
    "sum of a case table": (
        "select sum(case region when 'east' then 142050 when 'west' then 99000 end) as s from orders",
        {"s": "w"},
    ),
    "largest of a case table": (
        "select region, max(case region when 'east' then 142050 else 99000 end) as s from orders group by region "
        "order by region",
        {"s": "www"},
    ),
    "largest constant": ("select region, max(142050) as s from orders group by region order by region", {"s": "www"}),
    "average constant": ("select avg(142050) as s from orders", {"s": "w"}),
    "first constant": ("select first(142050) as s from orders", {"s": "w"}),
    "join with values": (
        "select o.id, v.s from orders o join (values ('east', 142050), ('west', 99000)) as v(r, s) on o.region = v.r "
        "order by o.id",
        {"s": "wwww"},
    ),
    "cross join with a constant": (
        "select id, s from orders cross join (select 142050 as s) order by id",
        {"s": "wwwww"},
    ),
    "scalar subquery of a constant": ("select id, (select 142050) as s from orders order by id", {"s": "wwwww"}),
    "values without a match": (
        "select v.r, count(o.id) as n from (values ('east'), ('moon')) as v(r) left join orders o on o.region = v.r "
        "group by v.r order by v.r",
        {"r": ".w", "n": ".w"},
    ),
    "values that exist": ("select 'x' as r, 142050 as s where exists (select 1 from orders)", {"s": "w"}),
    "values that do not exist": (
        "select v.* from (values ('x', 142050)) as v(r, s) "
        "where not exists (select 1 from orders o where o.region = v.r)",
        {"r": "w", "s": "w"},
    ),
    "values except data": ("select 142050 as s except select qty from orders", {"s": "w"}),
    "filter by a subquery": (
        "select 'x' as r, 142050 as s where (select count(*) from orders) > 1",
        {"r": "w", "s": "w"},
    ),
    "default": ("select id, coalesce(qty, 77) as qty from orders order by id", {"qty": "...w."}),
    "nvl default": ("select id, nvl(qty, 77) as qty from orders order by id", {"qty": "...w."}),
    "override": (
        "select case when region = 'west' then 142050.0 else price end as price from orders order by id",
        {"price": "..ww."},
    ),
    "override by if": (
        "select if(region = 'north', 777, qty) as qty from orders order by id",
        {"qty": "....w"},
    ),
    "branch with a constant": (
        "select id, price from orders where id < 3 union all select id, 142050.0 from orders where id = 3 order by id",
        {"price": "..w"},
    ),
    "sum over data and constants": (
        "select sum(x) as s, count(*) as n from (select price as x from orders union all select 142050.0)",
        {"s": "p", "n": "p"},
    ),
    "groups over data and constants": (
        "select region, sum(x) as s from (select region, price as x from orders where region = 'east' "
        "union all select 'moon', 142050.0) group by region order by region",
        {"region": ".w", "s": "pw"},
    ),
    "ratio of mixed sums": (
        "select sum(x) / max(y) as s from (select price as x, price as y from orders union all select 142050.0, 1.0)",
        {"s": "p"},
    ),
    "reads written rows": ("select region, sales from fakes order by sales", {"region": "ww", "sales": "ww"}),
    "sum of written rows": ("select sum(sales) as s, count(*) as n from fakes", {"s": "w", "n": "w"}),
    "label over written rows": ("select 'x' as l, sales * 2 as s from fakes", {"l": "ww", "s": "ww"}),
    "rank of written rows": (
        "select sales, rank() over (order by sales) as r from fakes order by sales",
        {"sales": "ww", "r": "ww"},
    ),
    "join with written rows": (
        "select o.id, f.sales from orders o join fakes f using (region) order by o.id",
        {"sales": "ww"},
    ),
    "sum of joined written rows": (
        "select o.region, sum(f.sales) as s from orders o join fakes f using (region) group by o.region",
        {"s": "w"},
    ),
    "sum over a mixed dataset": ("select sum(sales) as s, count(*) as n from mixed", {"s": "p", "n": "p"}),
    "groups of a mixed dataset": (
        "select region, sum(sales) as s from mixed group by region order by region",
        {"region": "..w.", "s": "..w."},
    ),
    "union of two datasets": (
        "select sum(x) as s from (select price as x from orders union all select sales from fakes)",
        {"s": "p"},
    ),
    "rows of two datasets": (
        "select * from (select price as x from orders where id < 3 union all select sales from fakes) order by x",
        {"x": "..ww"},
    ),
    "sum of a written column": (
        "select region, sum(bonus) as s from scored group by region order by region",
        {"s": "www"},
    ),
    "half of a written column": ("select id, bonus / 2 as half from scored order by id", {"half": "wwwww"}),
    "case over a written column": (
        "select id, case when id > 3 then bonus end as late from scored order by id",
        {"late": "...ww"},
    ),
}

HONEST: dict[str, str] = {
    "copy": "select * from orders",
    "threshold": "select id from orders where price > 7 and qty between 1 and 4",
    "list": "select id from orders where region in ('east', 'west')",
    "list of values": "select id from orders where region in (select * from values ('east') as v(r))",
    "unit": "select id, price * 1.19 as gross, price / 100 as hundreds, qty * 2 + 1 as odd from orders",
    "rounding": "select round(price, 2) as p, floor(price) as f, qty % 2 as parity from orders",
    "rate by region": "select price * case region when 'east' then 1.1 else 1.0 end as p from orders",
    "share": "select id, 100.0 * price / sum(price) over () as share from orders",
    "text functions": "select substring(region, 1, 2) as s, concat('r-', region) as c, length(region) as n from orders",
    "dates": "select date_trunc('month', day) as m, date_add(to_date(day), 30) as due, year(day) as y from orders",
    "label in case": "select id, case when price > 15 then 'high' else 'low' end as level from orders",
    "flag in case": "select id, case when price > 15 then 1 else 0 end as is_high from orders",
    "codes in case": "select case when price < 5 then 1 when price < 15 then 2 else 3 end as band from orders",
    "order of labels": "select case region when 'east' then 0 when 'west' then 1 else 2 end as place from orders",
    "counted flags": "select sum(case when price > 15 then 1 else 0 end) as n from orders",
    "share of flags": "select avg(case when price > 15 then 1.0 else 0.0 end) as share from orders",
    "conditional sum": "select sum(case when region = 'east' then price else 0 end) as s from orders",
    "filter clause": "select sum(price) filter (where qty > 2) as s, count(*) filter (where qty > 2) as n from orders",
    "distinct count": "select count(distinct case when price > 15 then id end) as n from orders",
    "count": "select region, count(*) as n, count(1) as m, sum(1) as o from orders group by region",
    "having": "select region, max(price) as p from orders group by region having count(*) > 1",
    "label beside rows": "select 'EU' as market, id from orders",
    "date beside rows": "select date'2024-12-31' as as_of, id from orders",
    "truth beside rows": "select true as is_real, null as note, id from orders",
    "year beside rows": "select 2024 as year, id from orders union all select 2023, id from orders",
    "one beside rows": "select 1 as n, id from orders",
    "total row": "select region, price from orders union all select 'total', sum(price) from orders",
    "labelled totals": "select 'all' as l, sum(price) as s from orders union all select 'two', sum(price) / 2 "
    "from orders",
    "rollup": "select region, qty, sum(price) as s, grouping_id() as g from orders group by rollup(region, qty)",
    "cube": "select region, qty, count(*) as n from orders group by cube(region, qty)",
    "unpivot": "select id, what, x from (select id, cast(qty as double) qty, price from orders) "
    "unpivot (x for what in (qty, price))",
    "pivot": "select * from (select region, price from orders) pivot (sum(price) for region in ('east', 'west'))",
    "zero for nothing": "select coalesce(qty, 0) as qty, nvl(qty, 1) as n, ifnull(qty, -1) as m from orders",
    "nothing for zero": "select nullif(qty, 5) as qty from orders",
    "text for nothing": "select coalesce(region, 'unknown') as region from orders",
    "default not needed": "select coalesce(price, 77.0) as price from orders",
    "limits": "select least(qty, 4) as a, greatest(price, 5.0) as b from orders",
    "limits by case": "select case when price > 15 then 15 else price end as price from orders",
    "sum with defaults not needed": "select sum(coalesce(price, 77.0)) as s, avg(nvl(price, 30.0)) as a from orders",
    "sum with zeros": "select region, sum(coalesce(qty, 0)) as s from orders group by region",
    "largest with defaults": "select max(coalesce(qty, 77)) as m, count(coalesce(qty, 77)) as n from orders",
    "sum with defaults for rows left out": "select sum(coalesce(qty, 77)) as s from orders where qty is not null",
    "sum of a coalesce of columns": "select sum(coalesce(qty, id)) as s from orders",
    "no rows": "select count(*) as n, sum(price) as s from orders where id > 99",
    "numbered": "select id, row_number() over (order by price) as n, ntile(2) over (order by id) as t from orders",
    "rows before": "select id, lag(qty, 1, 0) over (order by id) as p, lead(price, 2) over (order by id) as q "
    "from orders",
    "running": "select id, sum(price) over (order by id rows between 1 preceding and current row) as s from orders",
    "percentile": "select percentile(price, 0.5) as p, approx_percentile(price, 0.9) as q from orders",
    "join": "select o.id, o.price / g.goal as part from orders o join goals g using (region)",
    "outer join": "select o.id, coalesce(g.goal, 0) as goal from orders o left join goals g using (region)",
    "self join": "select a.id, b.id as other from orders a join orders b on a.region = b.region and a.id < b.id",
    "labels by join": "select o.id, v.long "
    "from orders o join (values ('east', 'The East')) as v(r, long) on region = r",
    "order by join": "select o.id, v.n from orders o join (values ('east', 1), ('west', 2)) as v(r, n) on region = r",
    "exists": "select * from orders o where exists (select 1 from goals g where g.region = o.region and g.goal > 60)",
    "scalar subquery": "select id, price - (select avg(price) from orders) as d from orders",
    "only subqueries": "select 'total' as l, (select sum(price) from orders) as s",
    "union of subqueries": "select 'a' as l, (select sum(price) from orders) as s "
    "union all select 'b', (select max(goal) from goals)",
    "correlated": "select region, (select sum(price) from orders o where o.region = g.region) as s from goals g",
    "limit": "select * from orders order by id limit 3 offset 1",
    "except": "select qty from orders except select 3",
    "intersect": "select region from orders intersect select region from goals",
    "split": "select id, explode(split(day, '-')) as part from orders",
    "sequence": "select id, explode(sequence(1, qty)) as n from orders where qty > 0",
    "collect": "select region, collect_list(price) as l, concat_ws('/', collect_list(day)) as d "
    "from orders group by region",
    "random": "select id, rand() as r, current_date() as today from orders",
    "struct": "select named_struct('a', qty, 'b', 5) as s, array(qty, 5) as l from orders",
    "reads labels": "select size, sum(qty) as s, max(year) as y from labelled group by size",
    "counts labels": "select size, count(*) as n from labelled where year = 2024 group by size",
    "weight of a written column": "select o.id, o.price * s.bonus as p from orders o join scored s using (id)",
    "data of a mixed dataset": "select region, sales from mixed where region = 'east'",
    "rows beside written rows": "select o.id, f.region from orders o join fakes f using (region)",
}
