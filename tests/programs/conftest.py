"""Keeps pytest from importing the programs, which would run them without their arguments."""

collect_ignore_glob = ["scripts/*"]
