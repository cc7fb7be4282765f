from pathlib import Path

import whence

Path("people.csv").write_text("zip,age\n00501,34\n10001,unknown\n10002,51\n10003,28\n10004,61\n")

with whence.open("people.whence") as ws:
    guessed = ws.load("people.csv", name="guessed")
    print([f"{field.name} {field.type}" for field in guessed.schema.fields])
    for problem in guessed.load_report.problems:
        print(f"line {problem.line}, {problem.column}: {problem.message}")

    decided = ws.load("people.csv", name="decided", types={"zip": "string", "age": "int"}, nulls=["unknown"])
    print([f"{field.name} {field.type}" for field in decided.schema.fields], decided.load_report.problems)
