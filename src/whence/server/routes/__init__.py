"""One file per question the page asks."""
