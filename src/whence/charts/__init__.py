"""Charts whose every mark knows its rows: a grammar, its compiler, and the picture."""
