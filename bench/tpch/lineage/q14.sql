select list(lineitem.rid) as lineitem_rids, list(part.rid) as part_rids
from lineitem
join part on l_partkey = p_partkey
where l_shipdate >= date '1995-09-01' and l_shipdate < date '1995-10-01'
