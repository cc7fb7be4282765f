select list(lineitem.rid) as lineitem_rids, list(part.rid) as part_rids
from lineitem
join part on p_partkey = l_partkey
where l_shipmode in ('AIR', 'AIR REG') and l_shipinstruct = 'DELIVER IN PERSON' and p_size >= 1
    and case p_brand
        when 'Brand#12' then p_container in ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG') and l_quantity between 1 and 11 and p_size <= 5
        when 'Brand#23' then p_container in ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK') and l_quantity between 10 and 20 and p_size <= 10
        when 'Brand#34' then p_container in ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG') and l_quantity between 20 and 30 and p_size <= 15
        else false
    end
