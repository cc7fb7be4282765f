"""What analysts write, with the lineage it has: the oracles hold every line of it against random queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Standing = Literal["exact", "coarse", "refused"]


@dataclass(frozen=True)
class SqlConstruct:
    """A construct or a class of functions, an example, and what is known of the rows it gives."""

    name: str
    example: str
    standing: Standing = "exact"
    note: str = ""


MADE = "made by `ws.spark.sql`"

SQL_CONSTRUCTS = (
    SqlConstruct("projection", "select k + 1 from t where x > 0"),
    SqlConstruct("VALUES", "select * from (values (1, 'a')) v(p, q)"),
    SqlConstruct("join", "t left join u on t.k = u.k"),
    SqlConstruct("semi and anti join", "t anti join u on t.k = u.k"),
    SqlConstruct("UNION ALL", "select k from t union all select k from u"),
    SqlConstruct("set operation", "select k from t intersect select k from u"),
    SqlConstruct("DISTINCT", "select distinct k from t"),
    SqlConstruct("ORDER BY with LIMIT", "select * from t order by x limit 3"),
    SqlConstruct("GROUP BY", "select k, sum(x) filter (where y > 0) from t group by k having count(*) > 1"),
    SqlConstruct("GROUP BY ALL", "select k, avg(x) from t group by all"),
    SqlConstruct("grouping sets", "select k, s, count(*), grouping(k) from t group by cube(k, s)"),
    SqlConstruct("CTE read twice", "with c as (select * from t) select * from c a join c b on a.k = b.k"),
    SqlConstruct("lateral join", "t, lateral (select max(y) from u where u.k = t.k) l"),
    SqlConstruct("correlated subquery", "select k, (select max(y) from u where u.k = t.k) from t"),
    SqlConstruct("subquery in a filter", "select * from t where x <= (select avg(x) from t)"),
    SqlConstruct("EXISTS and IN", "select * from t where exists (select 1 from u where u.k = t.k) or x > 0"),
    SqlConstruct("higher-order functions", "transform(tags, e -> e + k), filter(...), aggregate(...), exists(...)"),
    SqlConstruct("maps and structs", "map_filter(attrs, (k, v) -> v > 0), attrs['p'], spot.a"),
    SqlConstruct("JSON", "get_json_object(doc, '$.a'), from_json(doc, 'a int').a, json_tuple(doc, 'a')"),
    SqlConstruct("variant", "v:a.b::int, variant_get(v, '$.a', 'int'), lateral variant_explode(parse_json(doc))"),
    SqlConstruct("explode", "t lateral view outer posexplode(tags) g as p, e"),
    SqlConstruct("window", "rank() over (partition by k order by x), lag(x) over (...)"),
    SqlConstruct(
        "range frame over dates", "sum(x) over (order by d range between interval 2 days preceding and current row)"
    ),
    SqlConstruct("QUALIFY", "select * from t qualify row_number() over (partition by k order by x) = 1"),
    SqlConstruct("PIVOT", "t pivot (sum(x) for s in ('a', 'b'))"),
    SqlConstruct("UNPIVOT", "t unpivot include nulls (value for name in (a, b))"),
    SqlConstruct("percentiles", "median(x), percentile(x, 0.25), percentile_cont(0.5) within group (order by x)"),
    SqlConstruct("approximate aggregates", "approx_percentile(x, 0.5), approx_count_distinct(s)"),
    SqlConstruct(
        "collected values", "collect_list(x), collect_set(s), listagg(s, ','), count_if(x > 0), bool_or(x > 0)"
    ),
    SqlConstruct("TABLESAMPLE (rows)", "t tablesample (100 rows)"),
    SqlConstruct("TABLESAMPLE (percent)", "t tablesample (50 percent) repeatable (7)"),
    SqlConstruct(
        "parameter markers",
        "where x > :low",
        note="by `ws.dataset(ws.spark.sql(text, args={'low': 1}), name=...)` over `ws['t'].df` as a temporary view",
    ),
    SqlConstruct("IDENTIFIER", "select identifier('t.k') from identifier('t')"),
    SqlConstruct("pipe syntax", "from t |> where x > 0 |> aggregate sum(x) as s group by k"),
    SqlConstruct("SQL function", "create temporary function f(n int) returns int return n + 1", note=MADE),
    SqlConstruct(
        "SQL table function", "create temporary function f(n int) returns table(p int) return select ...", note=MADE
    ),
    SqlConstruct("temporary view", "create temporary view w as select ...", note=MADE),
    SqlConstruct(
        "session windows", "select k, session_window.start, count(*) from t group by k, session_window(at, '5 minutes')"
    ),
    SqlConstruct(
        "recursive CTE",
        "with recursive r(n) as (select src from t union all select dst from t join r on src = n) select * from r",
        note="coarse where rounds read their own rows twice, or limit, group or compare them",
    ),
    SqlConstruct(
        "nested recursion",
        "with recursive r(n) as (...), q(n) as (select n from r union all select r.n from q join r on ...) ...",
    ),
)

REFUSED = (
    SqlConstruct("commands", "create table w as select 1 as n", "refused", "`ws.spark.sql(...)`"),
    SqlConstruct("settings", "set spark.sql.ansi.enabled = false", "refused", "`ws.spark.sql(...)`"),
    SqlConstruct("questions about the session", "describe t", "refused", "`ws.spark.sql(...)`, or `ws['t'].schema`"),
    SqlConstruct(
        "scripts", "begin select 1; end", "refused", "`ws.spark.sql(...)`, or one call of `ws.sql` for each query"
    ),
)
