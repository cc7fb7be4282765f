"""What runs inside the process of a Python cell; imports as little of whence as it can."""
