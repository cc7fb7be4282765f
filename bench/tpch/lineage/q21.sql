select
    s_name, list(supplier.rid) as supplier_rids, list_concat(list(l1.rid), list(l2.rid)) as lineitem_rids,
    list(orders.rid) as orders_rids, list(nation.rid) as nation_rids
from lineitem l1
join supplier on s_suppkey = l1.l_suppkey
join orders on o_orderkey = l1.l_orderkey and o_orderstatus = 'F'
join nation on s_nationkey = n_nationkey and n_name = 'SAUDI ARABIA'
join lineitem l2 on l2.l_orderkey = l1.l_orderkey and l2.l_suppkey <> l1.l_suppkey
where l1.l_receiptdate > l1.l_commitdate
    and not exists (
        from lineitem l3
        where l3.l_orderkey = l1.l_orderkey and l3.l_suppkey <> l1.l_suppkey and l3.l_receiptdate > l3.l_commitdate
    )
group by all
