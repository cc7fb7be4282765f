"""`python -m whence` is the command line."""

from whence.cli.main import app

app(prog_name="whence")
