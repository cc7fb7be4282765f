"""The code inside the process of a Python cell. It imports as little of whence as it can."""
