from whence.safety import executions, find_order

page = ["report", "load", "clean"]
log = [
    ("load", "rows = [3, 1, 2]"),
    ("clean", "tidy = sorted(rows)"),
    ("report", "print(tidy[0], len(rows))"),
]
print(", ".join(find_order(executions(log), page).cells))

log.append(("load", "rows = [9]"))  # run again, and nothing after it
log.append(("clean", "tidy = sorted(rows)"))
for conflict in find_order(executions(log), page).conflicts:
    print(conflict.reason)
