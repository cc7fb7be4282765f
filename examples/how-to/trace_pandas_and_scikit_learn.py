from sklearn.preprocessing import StandardScaler

import whence

with whence.open("people.whence") as ws:
    rows = [("nurse", 34.0), ("cook", None), ("nurse", 29.0), ("cook", 51.0)]
    people = ws.create("people", rows, schema="job string, age double")
    p = whence.Pipeline(people, name="ready")
    p.drop_missing(["age"])
    p.apply(lambda frame: frame.assign(job=frame.job.str.upper()))  # pandas
    p.apply(StandardScaler(), columns=["age"])  # scikit-learn
    print(p.result.to_pandas().round(2).to_string(index=False))
    for operation in p.operations:
        print(operation.number, operation.kind, "rows", operation.rows_before, "to", operation.rows_after)
    print([(ref.row, ref.column, ref.value) for ref in p.provenance.why(0, "job", statistics=False)])
    print(p.provenance.why_missing(1))
