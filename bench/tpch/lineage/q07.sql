select
    n1.n_name as supp_nation, n2.n_name as cust_nation, year(l_shipdate) as l_year,
    list(supplier.rid) as supplier_rids, list(lineitem.rid) as lineitem_rids, list(orders.rid) as orders_rids,
    list(customer.rid) as customer_rids, list_concat(list(n1.rid), list(n2.rid)) as nation_rids
from lineitem
join supplier on s_suppkey = l_suppkey
join orders on o_orderkey = l_orderkey
join customer on c_custkey = o_custkey
join nation n1 on s_nationkey = n1.n_nationkey
join nation n2 on c_nationkey = n2.n_nationkey
where (n1.n_name, n2.n_name) in (('FRANCE', 'GERMANY'), ('GERMANY', 'FRANCE'))
    and l_shipdate >= date '1995-01-01' and l_shipdate <= date '1996-12-31'
group by all
