"""The shapes of what travels between a server and its clients: one package, below both."""
