select ps_partkey, list(partsupp.rid) as partsupp_rids, list(supplier.rid) as supplier_rids, list(nation.rid) as nation_rids
from partsupp
join supplier on ps_suppkey = s_suppkey
join nation on s_nationkey = n_nationkey and n_name = 'GERMANY'
group by all
