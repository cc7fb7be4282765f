select substring(c_phone, 1, 2) as cntrycode, list(rid) as customer_rids
from customer
where substring(c_phone, 1, 2) in ('13', '31', '23', '29', '30', '18', '17')
    and c_acctbal > (
        select avg(c_acctbal) from customer
        where c_acctbal > 0 and substring(c_phone, 1, 2) in ('13', '31', '23', '29', '30', '18', '17')
    )
    and c_custkey not in (select o_custkey from orders)
group by all
