select l_orderkey, list(customer.rid) as customer_rids, list(orders.rid) as orders_rids, list(lineitem.rid) as lineitem_rids
from lineitem
join orders on l_orderkey = o_orderkey and o_orderdate < date '1995-03-15'
join customer on c_custkey = o_custkey and c_mktsegment = 'BUILDING'
where l_shipdate > date '1995-03-15'
group by all
