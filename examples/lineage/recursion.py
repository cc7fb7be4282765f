import whence

ws = whence.open("recursion.whence")
staff = [("Ada", None), ("Ben", "Ada"), ("Cleo", "Ben"), ("Dan", "Ada")]
ws.create("staff", staff, schema="name string, boss string", cell_caveats=[(1, "boss", "Asked by telephone.")])

chains = ws.sql(
    """
    with recursive reports(name, path) as (
        select name, name from staff where boss is null
        union all
        select s.name, concat(r.path, ' > ', s.name) from reports r join staff s on s.boss = r.name)
    select * from reports""",
    name="chains",
)
doubts = chains.caveats.marks().to_pylist()
for number, row in sorted(enumerate(chains.to_arrow().to_pylist()), key=lambda each: each[1]["name"]):
    rows = chains.lineage.backward(number, to="staff").ids.tolist()
    copied = [each.row for each in chains.lineage.cell(number, "name") if each.role == "copied"]
    print(f"{row['path']}: from rows {rows}, the name from row {copied}, in doubt: {doubts[number]['_row']}")
