"""The command line: what `whence` does in a terminal."""
