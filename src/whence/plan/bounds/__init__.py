"""Between which values an expression lies, given what caveats state about the values that it reads."""
