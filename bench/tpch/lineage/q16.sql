select p_brand, p_type, p_size, list(partsupp.rid) as partsupp_rids, list(part.rid) as part_rids
from partsupp
join part on p_partkey = ps_partkey
where p_brand <> 'Brand#45' and p_type not like 'MEDIUM POLISHED%' and p_size in (49, 14, 23, 45, 19, 3, 36, 9)
    and not exists (from supplier where s_suppkey = ps_suppkey and s_comment like '%Customer%Complaints%')
group by all
