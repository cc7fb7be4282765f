"""The tour: a notebook over a small messy price list and a published table."""
