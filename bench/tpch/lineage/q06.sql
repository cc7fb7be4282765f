select list(rid) as lineitem_rids
from lineitem
where l_shipdate >= date '1994-01-01' and l_shipdate < date '1995-01-01'
    and l_discount >= 0.05 and l_discount <= 0.07 and l_quantity < 24
