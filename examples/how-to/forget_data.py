import whence

with whence.open("people.whence") as ws:
    ws.create("people", [("ann", 34), ("bob", 51)], schema="name string, age int")
    ws.sql("select avg(age) as mean from people", name="mean")
    try:
        ws.forget("people")
    except whence.WhenceError as error:
        print(error)
    print("gone:", ws.forget("people", keep_dependants=True))  # the mean stays, the people are gone
    print([each.name for each in ws.datasets()], ws["mean"].to_arrow().to_pylist())
