with shipped as (
    select l_partkey as part, l_suppkey as supp, 0.5 * sum(l_quantity) as half
    from lineitem
    where l_shipdate >= date '1994-01-01' and l_shipdate < date '1995-01-01'
    group by all
)
select
    s_name, list(supplier.rid) as supplier_rids, list(nation.rid) as nation_rids,
    list(partsupp.rid) as partsupp_rids, list(part.rid) as part_rids
from partsupp
join part on p_partkey = ps_partkey and p_name like 'forest%'
join shipped on shipped.part = ps_partkey and shipped.supp = ps_suppkey and ps_availqty > half
join supplier on s_suppkey = ps_suppkey
join nation on s_nationkey = n_nationkey and n_name = 'CANADA'
group by all
