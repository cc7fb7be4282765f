"""Python cells: what their text reads and writes, what they ask for while they run, and what is kept of it."""
