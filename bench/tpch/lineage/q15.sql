select s_suppkey, list(supplier.rid) as supplier_rids, list(lineitem.rid) as lineitem_rids
from lineitem
join supplier on s_suppkey = l_suppkey
where l_shipdate >= date '1996-01-01' and l_shipdate < date '1996-04-01'
group by all
