"""The main path of every query: request, read, reuse, choose, rewrite, run, draft, publish."""
