select l_shipmode, list(orders.rid) as orders_rids, list(lineitem.rid) as lineitem_rids
from lineitem
join orders on o_orderkey = l_orderkey
where l_shipmode in ('MAIL', 'SHIP') and l_commitdate < l_receiptdate and l_shipdate < l_commitdate
    and l_receiptdate >= date '1994-01-01' and l_receiptdate < date '1995-01-01'
group by all
