import whence

with whence.open("people.whence") as ws:
    rows = [("nurse", 34.0, "x"), ("cook", None, "y"), (None, 29.0, "z"), ("cook", 51.0, "y")]
    people = ws.create("people", rows, schema="job string, age double, code string")
    p = whence.Pipeline(people, name="ready")
    p.drop_columns(["code"]).drop_missing(["job"]).impute({"age": "mean"}).one_hot(["job"])
    print(p.result)  # one query of Spark, then twelve questions
    q = p.provenance
    print(1, [each.kind for each in q.transformations()])
    print(2, [(ref.row, ref.column, ref.role) for ref in q.why(1, "age", statistics=False)])
    print(3, [(step.operation.kind, step.before, step.after) for step in q.how(1, "age")])
    print(4, [each.kind for each in q.feature_operations("job")])
    print(5, [each.kind for each in q.record_operations(1)])
    print(6, [each.kind for each in q.item_operations(1, "age")])
    gone = q.invalidations()
    print(7, sorted(gone.features), sorted(gone.records))
    print(8, q.feature_invalidation("code").kind)
    print(9, q.record_invalidation(2).kind)
    print(10, [each.kind for each in q.item_invalidation(1, "age")])
    print(11, [(each.operation.kind, each.before.nulls, each.after.nulls) for each in q.feature_spread("age")])
    print(12, [(each.operation.kind, each.before.rows, each.after.rows) for each in q.dataset_spread()])
