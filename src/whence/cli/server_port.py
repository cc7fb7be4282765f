"""The port that a server of whence takes unless it is told otherwise."""

SERVER_PORT = 8321
