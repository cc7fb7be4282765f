select c_count, list(rid) as customer_rids, flatten(list(made)) as orders_rids
from (
    select customer.rid, count(orders.rid) as c_count, coalesce(list(orders.rid) filter (orders.rid is not null), []) as made
    from customer
    left join orders on c_custkey = o_custkey and o_comment not like '%special%requests%'
    group by customer.rid
)
group by all
