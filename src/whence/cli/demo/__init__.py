"""The demo: a small messy price list and queries over it."""
