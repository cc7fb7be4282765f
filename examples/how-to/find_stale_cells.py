from whence.safety import Session

notebook = Session()  # in Jupyter: %load_ext whence.safety
notebook.run("rate", "rate = 1.25")
notebook.run("prices", "prices = [round(each * rate, 2) for each in (4, 8)]")
notebook.run("show", "print(prices)")

notebook.run("rate", "rate = 1.1")  # corrected, and the cells below are forgotten
for cell, reason in notebook.highlights().reasons.items():
    print(f"{cell}: {reason}")
for cell, result in notebook.run_with_upstream("show"):
    print(cell, result.output.strip())
