with usual as (select l_partkey as part, 0.2 * avg(l_quantity) as little from lineitem group by all)
select list(lineitem.rid) as lineitem_rids, list(part.rid) as part_rids
from lineitem
join part on p_partkey = l_partkey and p_brand = 'Brand#23' and p_container = 'MED BOX'
join usual on usual.part = p_partkey
where l_quantity < little
