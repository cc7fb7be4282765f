select
    c_custkey,
    list(customer.rid) as customer_rids, list(orders.rid) as orders_rids,
    list(lineitem.rid) as lineitem_rids, list(nation.rid) as nation_rids
from lineitem
join orders on l_orderkey = o_orderkey and o_orderdate >= date '1993-10-01' and o_orderdate < date '1994-01-01'
join customer on c_custkey = o_custkey
join nation on c_nationkey = n_nationkey
where l_returnflag = 'R'
group by all
