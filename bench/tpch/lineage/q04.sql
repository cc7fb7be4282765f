select o_orderpriority, list(orders.rid) as orders_rids, list(lineitem.rid) as lineitem_rids
from orders
join lineitem on l_orderkey = o_orderkey and l_commitdate < l_receiptdate
where o_orderdate >= date '1993-07-01' and o_orderdate < date '1993-10-01'
group by all
