"""Checks: what rows should look like. A row that fails one gets a caveat, which reaches all that is made from it."""
