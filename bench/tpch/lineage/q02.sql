with cheapest as (
    select ps_partkey as part, min(ps_supplycost) as cost
    from partsupp
    join supplier on s_suppkey = ps_suppkey
    join nation on s_nationkey = n_nationkey
    join region on n_regionkey = r_regionkey and r_name = 'EUROPE'
    group by ps_partkey
)
select
    s_name, p_partkey,
    [part.rid] as part_rids, [supplier.rid] as supplier_rids, [partsupp.rid] as partsupp_rids,
    [nation.rid] as nation_rids, [region.rid] as region_rids
from partsupp
join part on p_partkey = ps_partkey and p_size = 15 and p_type like '%BRASS'
join supplier on s_suppkey = ps_suppkey
join nation on s_nationkey = n_nationkey
join region on n_regionkey = r_regionkey and r_name = 'EUROPE'
join cheapest on cheapest.part = p_partkey and cheapest.cost = ps_supplycost
