select l_returnflag, l_linestatus, list(rid) as lineitem_rids
from lineitem
where l_shipdate <= date '1998-12-01' - interval '90' day
group by all
