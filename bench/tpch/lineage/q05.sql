select
    n_name,
    list(customer.rid) as customer_rids, list(orders.rid) as orders_rids, list(lineitem.rid) as lineitem_rids,
    list(supplier.rid) as supplier_rids, list(nation.rid) as nation_rids, list(region.rid) as region_rids
from lineitem
join orders on l_orderkey = o_orderkey and o_orderdate >= date '1994-01-01' and o_orderdate < date '1995-01-01'
join customer on c_custkey = o_custkey
join supplier on l_suppkey = s_suppkey and c_nationkey = s_nationkey
join nation on s_nationkey = n_nationkey
join region on n_regionkey = r_regionkey and r_name = 'ASIA'
group by all
