with big as (select l_orderkey as big_order, list(rid) as rids from lineitem group by all having sum(l_quantity) > 300)
select
    o_orderkey, list(customer.rid) as customer_rids, list(orders.rid) as orders_rids,
    list_concat(list(lineitem.rid), flatten(list(big.rids))) as lineitem_rids
from lineitem
join orders on o_orderkey = l_orderkey
join customer on c_custkey = o_custkey
join big on big_order = o_orderkey
group by all
