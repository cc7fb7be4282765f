select
    year(o_orderdate) as o_year,
    list(part.rid) as part_rids, list(supplier.rid) as supplier_rids, list(lineitem.rid) as lineitem_rids,
    list(orders.rid) as orders_rids, list(customer.rid) as customer_rids,
    list_concat(list(n1.rid), list(n2.rid)) as nation_rids, list(region.rid) as region_rids
from lineitem
join part on p_partkey = l_partkey and p_type = 'ECONOMY ANODIZED STEEL'
join supplier on s_suppkey = l_suppkey
join orders on l_orderkey = o_orderkey and o_orderdate between date '1995-01-01' and date '1996-12-31'
join customer on o_custkey = c_custkey
join nation n1 on c_nationkey = n1.n_nationkey
join region on n1.n_regionkey = r_regionkey and r_name = 'AMERICA'
join nation n2 on s_nationkey = n2.n_nationkey
group by all
