"""The public handles: what a user holds."""
