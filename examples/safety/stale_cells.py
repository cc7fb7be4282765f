from whence.safety import Session

notebook = Session()
notebook.run("load", "prices = [12.0, 15.5, 9.9]")
notebook.run("rate", "rate = 1.25")
notebook.run("convert", "converted = [price * rate for price in prices]")
notebook.run("total", "print(round(sum(converted), 2))")

notebook.run("rate", "rate = 1.1")  # a correction, and the cells below are forgotten

found = notebook.highlights()
for cell, reason in found.reasons.items():
    print(f"{cell}: {reason}")

for cell, result in notebook.run_with_upstream("total"):
    print(cell, result.output.strip())

print(notebook.slice("converted"))
