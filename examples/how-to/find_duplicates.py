import whence

with whence.open("people.whence") as ws:
    rows = [("ann", "a@x.org"), ("bob", "b@x.org"), ("Ann", "a@x.org"), ("bob", "b@x.org")]
    people = ws.create("people", rows, schema="name string, email string")

    print(whence.key_candidates(people))  # no column tells all rows apart
    for violation in whence.check_fd(people, "email -> name").violations:
        print(violation)

    single = ws.lens("drop_duplicates", "people", name="single", columns=["email"])
    print(single.lens_report.sentence)
    print(single.to_arrow().to_pylist())
    print(single.lineage.why_not("people", 2))
