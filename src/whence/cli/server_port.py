"""The default port of a whence server."""

SERVER_PORT = 8321
