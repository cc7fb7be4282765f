select
    n_name as nation, year(o_orderdate) as o_year,
    list(part.rid) as part_rids, list(supplier.rid) as supplier_rids, list(lineitem.rid) as lineitem_rids,
    list(partsupp.rid) as partsupp_rids, list(orders.rid) as orders_rids, list(nation.rid) as nation_rids
from lineitem
join part on p_partkey = l_partkey and p_name like '%green%'
join supplier on s_suppkey = l_suppkey
join partsupp on ps_suppkey = l_suppkey and ps_partkey = l_partkey
join orders on o_orderkey = l_orderkey
join nation on s_nationkey = n_nationkey
group by all
