"""The paths at which a server of whence speaks the protocol."""

PATH = "/mcp"
READ_ONLY_PATH = "/mcp/read-only"
